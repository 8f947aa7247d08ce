"""How text is turned into searchable lexemes, for documents and for questions, in PostgreSQL alone.

Both sides go through the same steps, so they agree by construction:

- `skillnet_plain`: NFC, lower case, letters and digits only;
- stems: the language's own stemmer, which needs accents (educación, educaciones);
- keys: accents folded and plural and gender endings cut, which meets what people type without accents;
- codes: E-4711, E 4711 and e4711 are all e4711; 12.3 stays one number; an e-mail address stays whole.

A document holds all of them: codes with weight A, stems B, keys C, and words with ñ once more with n (D), so that
"contrasena" finds contraseña while "peña" never finds pena. A question asks, word by word, for any of its forms.
"""

from django.db import migrations

# Catalan has a stemmer but no list of stop words in PostgreSQL.
LANGUAGES = {
    "es": "spanish",
    "en": "english",
    "pt": "portuguese",
    "fr": "french",
    "it": "italian",
    "de": "german",
}

DICTIONARIES = "".join(
    f"""
CREATE TEXT SEARCH DICTIONARY skillnet_words_{code} (TEMPLATE = pg_catalog.simple, STOPWORDS = {name});
CREATE TEXT SEARCH CONFIGURATION skillnet_words_{code} (COPY = pg_catalog.simple);
ALTER TEXT SEARCH CONFIGURATION skillnet_words_{code}
    ALTER MAPPING FOR asciiword, word, hword, hword_part, asciihword, hword_asciipart WITH skillnet_words_{code};
"""
    for code, name in LANGUAGES.items()
)

FUNCTIONS = r"""
-- The small functions are not STRICT on purpose: only so does the planner put their bodies in place of the calls.
CREATE FUNCTION skillnet_stem_configuration(language text) RETURNS regconfig
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE language
        WHEN 'en' THEN 'pg_catalog.english'::regconfig
        WHEN 'pt' THEN 'pg_catalog.portuguese'::regconfig
        WHEN 'fr' THEN 'pg_catalog.french'::regconfig
        WHEN 'it' THEN 'pg_catalog.italian'::regconfig
        WHEN 'de' THEN 'pg_catalog.german'::regconfig
        WHEN 'ca' THEN 'pg_catalog.catalan'::regconfig
        ELSE 'pg_catalog.spanish'::regconfig
    END;

CREATE FUNCTION skillnet_word_configuration(language text) RETURNS regconfig
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE language
        WHEN 'en' THEN 'skillnet_words_en'::regconfig
        WHEN 'pt' THEN 'skillnet_words_pt'::regconfig
        WHEN 'fr' THEN 'skillnet_words_fr'::regconfig
        WHEN 'it' THEN 'skillnet_words_it'::regconfig
        WHEN 'de' THEN 'skillnet_words_de'::regconfig
        WHEN 'ca' THEN 'pg_catalog.simple'::regconfig
        ELSE 'skillnet_words_es'::regconfig
    END;

CREATE FUNCTION skillnet_lower(content text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN lower(normalize(content, NFC));

-- The stemmer needs accents, so they stay.
CREATE FUNCTION skillnet_plain(language text, lowered text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE language
        WHEN 'ca' THEN regexp_replace(
            regexp_replace(lowered, '[^[:alnum:]]+', ' ', 'g'),
            '\m(a|al|als|amb|aquest|aquesta|com|d|de|del|dels|el|els|en|era|es|és|són|ha|han|hi|ho|i|l|la|les|li|més|'
            'n|no|o|on|per|pel|pels|però|perquè|que|què|qui|quan|s|se|sense|ser|si|sobre|són|un|una|uns|unes)\M',
            ' ', 'g')
        ELSE regexp_replace(lowered, '[^[:alnum:]]+', ' ', 'g')
    END;

-- ñ stays: año is not ano.
CREATE FUNCTION skillnet_fold(content text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN replace(
        translate(content, 'áàâäãåéèêëíìîïóòôöõúùûüçýÿ', 'aaaaaaeeeeiiiiooooouuuucyy'), 'ß', 'ss');

CREATE FUNCTION skillnet_key(language text, word text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN regexp_replace(
        skillnet_fold(word),
        CASE language
            WHEN 'en' THEN '(?<=...)(es|s)$'
            WHEN 'de' THEN '(?<=...)(en|er|es|e|n|s)$'
            WHEN 'fr' THEN '(?<=...)(es|e|s|x)$'
            WHEN 'it' THEN '(?<=...)(a|e|i|o)$'
            ELSE '(?<=...)(eses|es|os|as|o|a|e|s)$'
        END,
        '');

-- Words that only ask. The languages' own stop words leave most of them in, and they are rare in documents, so they
-- would weigh much.
CREATE FUNCTION skillnet_only_asks(language text, word text) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN skillnet_fold(word) ~ CASE language
        WHEN 'en' THEN '^(what|which|who|whom|whose|when|where|why|how|many|much)$'
        WHEN 'pt' THEN '^(qual|quais|quant[oa]s?|onde|aonde|quem|como|quando|que|porque|mais|tambem|nao)$'
        WHEN 'fr' THEN '^(quel(le)?s?|combien|comment|pourquoi|quand|ou|qui|que|quoi|est)$'
        WHEN 'it' THEN '^(qual[ei]?|quant[oaie]|dove|come|quando|chi|che|cosa|perche|piu)$'
        WHEN 'de' THEN '^(welche[rsmn]?|wieviele?|wie|wo|wer|wen|wem|wann|warum|was)$'
        WHEN 'ca' THEN '^(quin(a|s|es)?|quant(a|s|es)?|quan|on|com|qui|que|perque|mes)$'
        ELSE '^(cual(es)?|cuant[oa]s?|a?donde|como|cuando|quien(es)?|que|mas|tambien|segun|asi|aun)$'
    END;

CREATE FUNCTION skillnet_stops(language text, word text) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN skillnet_only_asks(language, word)
        OR length(to_tsvector(skillnet_word_configuration(language), skillnet_plain(language, word))) = 0
        OR length(to_tsvector(skillnet_stem_configuration(language), skillnet_plain(language, word))) = 0;

-- Separators stay only between digits: e-4711 is e4711, 2024/0017 is 2024.0017. No lexeme may be endless.
CREATE FUNCTION skillnet_code(run text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN left(
        regexp_replace(regexp_replace(run, '[^[:alnum:]]+', '.', 'g'), '(?<![0-9])\.|\.(?![0-9])', '', 'g'), 100);

-- Every code in a text: whole, and each part of it of up to four groups that holds a number ("FAC-2024/0017" is
-- found by "2024/0017"), together with the short word before it ("ISO 9001", "art. 12.3").
CREATE FUNCTION skillnet_codes(language text, lowered text) RETURNS SETOF text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
BEGIN ATOMIC
    WITH run AS MATERIALIZED (
        SELECT
            found[1] AS prefix,
            found[2] AS body,
            ARRAY(
                SELECT piece[1]
                FROM regexp_matches(found[2], '[0-9]+|[^[:punct:][:space:]0-9]+', 'g') WITH ORDINALITY AS t(piece, n)
                WHERE n <= 12
                ORDER BY n
            ) AS parts
        FROM regexp_matches(
            lowered,
            '(?:\m([[:alpha:]]{1,6})[.]? )?\m((?:[[:alnum:]]{1,30}[-./:,_])*[[:alpha:]]{0,30}[0-9][[:alnum:]]{0,30}'
            '(?:[-./:,_][[:alnum:]]{1,30})*)',
            'g') AS found
        WHERE lowered ~ '[0-9]'
    )
    SELECT skillnet_code(array_to_string(parts[i:j], '.'))
    FROM run, generate_series(1, cardinality(parts)) AS i, generate_series(i, least(i + 3, cardinality(parts))) AS j
    WHERE array_to_string(parts[i:j], '') ~ '[0-9]'
    UNION
    SELECT skillnet_code(body) FROM run
    UNION
    SELECT prefix || skillnet_code(array_to_string(parts[1:j], '.'))
    FROM run, generate_series(1, least(3, cardinality(parts))) AS j
    WHERE parts[1] ~ '^[0-9]' AND (length(prefix) = 1 OR NOT skillnet_stops(language, prefix))
    UNION
    SELECT replace(replace(body, '.', ''), ',', '') FROM run WHERE body ~ '^[0-9]{1,3}([.,][0-9]{3})+$'
    UNION
    SELECT address[1]
    FROM regexp_matches(lowered, '[[:alnum:]._+-]{1,64}@[[:alnum:]-]{1,63}(?:\.[[:alnum:]-]{1,63}){1,4}', 'g') AS address
    WHERE strpos(lowered, '@') > 0;
END;

CREATE FUNCTION skillnet_search_vector(language text, heading text, body text) RETURNS tsvector
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
BEGIN ATOMIC
    -- Only letters, digits and the separators of codes are left, so nothing here needs escaping.
    WITH source AS MATERIALIZED (
        SELECT lowered, skillnet_plain(language, lowered) AS plain
        FROM (SELECT skillnet_lower(heading || ' ' || body) AS lowered) AS l
    ), word AS MATERIALIZED (
        SELECT lexeme, positions
        FROM source, unnest(to_tsvector(skillnet_word_configuration(language), plain))
    ), entry (lexeme, places) AS (
        SELECT lexeme, array_to_string(positions, 'B,') || 'B'
        FROM source, unnest(to_tsvector(skillnet_stem_configuration(language), plain))
        UNION ALL
        SELECT skillnet_key(language, lexeme), array_to_string(positions, 'C,') || 'C' FROM word
        UNION ALL
        SELECT skillnet_key(language, translate(lexeme, 'ñ', 'n')), array_to_string(positions, 'D,') || 'D'
        FROM word WHERE lexeme LIKE '%ñ%'
        UNION ALL
        SELECT code, '16383A' FROM source, skillnet_codes(language, lowered) AS code
    )
    SELECT coalesce(string_agg('''' || lexeme || ''':' || places, ' '), '')::tsvector FROM entry;
END;
"""

QUERY = r"""
-- The language of a short question is a guess: what is a stop word in any of the languages at hand says little.
CREATE FUNCTION skillnet_stops_in_any(languages text[], word text) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN EXISTS (SELECT FROM unnest(languages) AS language WHERE skillnet_stops(language, word));

-- Every lexeme under which a document in one of `languages` may hold this word.
CREATE FUNCTION skillnet_word_forms(languages text[], word text) RETURNS text[]
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN ARRAY(
        SELECT stem
        FROM unnest(languages) AS language,
            unnest(tsvector_to_array(
                to_tsvector(skillnet_stem_configuration(language), skillnet_plain(language, word)))) AS stem
        UNION
        SELECT skillnet_key(language, lexeme)
        FROM unnest(languages) AS language,
            unnest(tsvector_to_array(
                to_tsvector(skillnet_word_configuration(language), skillnet_plain(language, word)))) AS lexeme
        ORDER BY 1
    );

-- The words of a question, in order, each with the lexemes any of which stands for it in documents of `languages`.
-- Stop words are left out but counted, so that phrases keep their distances.
-- "modelo 303" asks for modelo and for 303, or for modelo303; "E-4711" and "e 4711" only for e4711.
CREATE FUNCTION skillnet_query_terms(languages text[], question text)
    RETURNS TABLE (word integer, lexemes text[], is_code boolean)
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
BEGIN ATOMIC
    WITH found AS MATERIALIZED (
        SELECT n, part[1] AS address, part[2] AS prefix, part[3] AS run, part[4] AS plain
        FROM regexp_matches(
            skillnet_lower(question),
            '([[:alnum:]._+-]{1,64}@[[:alnum:]-]{1,63}(?:\.[[:alnum:]-]{1,63}){1,4})'
            '|(?:\m([[:alpha:]]{1,6})[.]? )?\m((?:[[:alnum:]]{1,30}[-./:,_])*[[:alpha:]]{0,30}[0-9][[:alnum:]]{0,30}'
            '(?:[-./:,_][[:alnum:]]{1,30})*)'
            '|([[:alpha:]]+)',
            'g') WITH ORDINALITY AS t(part, n)
    ), numbered AS (
        SELECT
            address, prefix, run, plain,
            (n + count(prefix) OVER (ORDER BY n))::integer AS word,
            skillnet_code(run) AS code,
            CASE WHEN run ~ '^[0-9]' AND (length(prefix) = 1 OR NOT skillnet_stops_in_any(languages, prefix))
                THEN prefix || skillnet_code(run) END AS glued,
            CASE WHEN run ~ '^[0-9]{1,3}([.,][0-9]{3})+$' THEN replace(replace(run, '.', ''), ',', '') END AS joined,
            prefix IS NOT NULL AND (length(prefix) = 1 OR skillnet_stops_in_any(languages, prefix)) AS prefix_stops,
            -- A lone letter before a number belongs to it, unless it is a word by itself.
            length(prefix) = 1 AND run ~ '^[0-9]' AND prefix NOT IN ('a', 'o', 'y', 'i', 'à', 'è', 'é', 'l') AS is_one
        FROM found
    )
    SELECT word, skillnet_word_forms(languages, plain), false
    FROM numbered WHERE plain IS NOT NULL AND NOT skillnet_stops_in_any(languages, plain)
    UNION ALL
    SELECT word, ARRAY[address], true FROM numbered WHERE address IS NOT NULL
    UNION ALL
    SELECT word - 1, array_remove(skillnet_word_forms(languages, prefix) || glued, NULL), false
    FROM numbered WHERE prefix IS NOT NULL AND NOT prefix_stops
    UNION ALL
    SELECT
        word,
        CASE
            WHEN is_one THEN ARRAY[glued]
            ELSE array_remove(ARRAY[code, joined, glued], NULL)
        END,
        run ~ '[^0-9]' OR coalesce(is_one, false)
    FROM numbered WHERE run IS NOT NULL
    ORDER BY 1;
END;
"""

NAMES = (
    "skillnet_query_terms(text[], text)",
    "skillnet_word_forms(text[], text)",
    "skillnet_stops_in_any(text[], text)",
    "skillnet_search_vector(text, text, text)",
    "skillnet_codes(text, text)",
    "skillnet_code(text)",
    "skillnet_stops(text, text)",
    "skillnet_only_asks(text, text)",
    "skillnet_key(text, text)",
    "skillnet_fold(text)",
    "skillnet_plain(text, text)",
    "skillnet_lower(text)",
    "skillnet_word_configuration(text)",
    "skillnet_stem_configuration(text)",
)

BACKWARD = "".join(f"DROP FUNCTION {name};\n" for name in NAMES) + "".join(
    f"DROP TEXT SEARCH CONFIGURATION skillnet_words_{code};\nDROP TEXT SEARCH DICTIONARY skillnet_words_{code};\n"
    for code in LANGUAGES
)


class Migration(migrations.Migration):
    dependencies = []
    operations = [migrations.RunSQL(DICTIONARIES + FUNCTIONS + QUERY, BACKWARD)]
