"""What the tests of isolation share: organizations full of everything, all addresses, and looks behind the scenes."""
