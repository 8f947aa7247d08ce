"""What each signal of a unit adds to its score, see tutor.scoring. Pure."""

from collections.abc import Mapping

# Learned by benchmarks/calibrate_answers.py: how much more likely a unit is to be the one that answers.
LEARNED: Mapping[str, float] = {
    "similarity": 32.5,
    "weakest": 22.4,
    "around": 44.0,
    "coverage": 4.1,
    "coverage_around": 2.2,
    "coverage_of_headings": 6.7,
    "score": 3.0,
    "type": 2.5,
    "no_type": -1.7,
    "rules": 1.0,
    "is_for": 3.2,
    "is_for_other": -2.9,
    "is_short": -1.6,
    "is_row": -0.8,
    "is_item": -0.3,
    "is_cut": -0.6,
    "introduces": -1.0,
}
# Set by hand: too few questions have an opposite among what was read, or one thing that they are about.
SET_BY_HAND: Mapping[str, float] = {
    "alone": 30.0,  # flat between 20 and 45; only of those that are compared, see tutor.scoring.compared
    "opposite": -4.0,
    "off_subject": -8.0,
    "defines": 4.0,
    "serves": 4.0,
    "is_named": 4.0,
    "is_titled": 8.0,
    "is_timetable": 10.0,
    "lacks_the_same": 6.0,
    "is_looked_up": 8.0,
    "is_found_in_cell": 6.0,
    "is_in_range": 6.0,
    "is_clause": 20.0,  # whatever else speaks of it
    "after_question": -0.7,  # for each sentence between one and the question that it answers
    "holds_avoided": -12.0,
}
ALL_WEIGHTS: Mapping[str, float] = {**LEARNED, **SET_BY_HAND}
