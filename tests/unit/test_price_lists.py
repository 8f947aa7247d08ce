"""Lines of menus and price lists."""

import pytest

from tutor.price_lists import is_priced


@pytest.mark.parametrize("line", ["Pesca del día 20 $", "Café con leche ..... 1,80 €", "Tarta de queso\u2026 5 euros."])
def test_a_name_with_its_price_is_known(line: str):
    assert is_priced(line)


def test_a_line_longer_than_any_of_a_menu_is_not_looked_at():
    assert not is_priced("Café " + "." * 300 + " 1,80 €")
