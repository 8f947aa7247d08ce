"""The consonants of a lexeme as they sound in Spanish, so that misspelt words find the known ones.

The same as retrieval.spelling.skeleton; a test compares the two.
"""

from django.db import migrations

FORWARD = r"""
CREATE FUNCTION skillnet_sound(lexeme text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
BEGIN ATOMIC
    SELECT translate(
        regexp_replace(regexp_replace(replace(replace(translate(regexp_replace(regexp_replace(regexp_replace(
            regexp_replace(replace(replace(skillnet_fold(lexeme), 'ch', '1'), 'll', 'y'), 'qu(?=[ei])', 'k', 'g'),
            'gu(?=[ei])', '2', 'g'),
            'g(?=[ei])', 'j', 'g'),
            'c(?=[ei])', 's', 'g'),
            'zxcqvwñ', 'sskkbbn'),
            'h', ''), '2', 'g'),
            'n(?=[bp])', 'm', 'g'),
            '([a-z])\1+', '\1', 'g'),
        'aeiou', '');
END;
"""


class Migration(migrations.Migration):
    dependencies = [("documents", "0030_document_date")]
    operations = [migrations.RunSQL(FORWARD, "DROP FUNCTION skillnet_sound(text);")]
