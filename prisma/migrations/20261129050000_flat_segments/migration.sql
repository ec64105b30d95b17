-- A segment's filter is flat: all or any of some conditions, and none of others. A segment's groups, which all had to hold, become
-- one filter where that means the same people. Otherwise the segment is marked as nested. It keeps its id, its name and its
-- conditions, and can't be used until staff save a flat filter. Its people are in new segments, "NAME (1)" and so on: one for each
-- choice of a condition from each any-of group.
ALTER TABLE segments ADD COLUMN filter jsonb, ADD COLUMN is_nested boolean NOT NULL DEFAULT false;

-- An any-of group as one condition; null where no single condition means the same.
CREATE FUNCTION any_as_one(conditions jsonb) RETURNS jsonb LANGUAGE sql AS $$
  SELECT CASE
    WHEN count(*) = 1 THEN conditions -> 0
    WHEN count(DISTINCT c ->> 'about') = 1 AND bool_and(c ? 'is') AND sum(jsonb_array_length(c -> 'is')) <= 50 THEN
      jsonb_build_object('about', conditions #> '{0,about}', 'is',
        (SELECT jsonb_agg(DISTINCT value) FROM jsonb_path_query(conditions, '$[*].is[*]') AS value))
    -- A search of one or two letters looks at the beginnings of words instead.
    WHEN count(*) = 2 AND count(DISTINCT c ->> 'about') = 2 AND bool_and(c ->> 'about' IN ('email', 'name') AND c ->> 'test' = 'contains')
      AND count(DISTINCT c ->> 'value') = 1 AND min(char_length(c ->> 'value')) >= 3 THEN
      jsonb_build_object('about', 'search', 'value', conditions #> '{0,value}')
  END
  FROM jsonb_array_elements(conditions) AS c
$$;

-- Filters that together mean the same people. One filter: the groups are flat. Null: there would be more than ten.
CREATE FUNCTION flat_filters(groups jsonb) RETURNS jsonb[] LANGUAGE plpgsql AS $$
DECLARE
  alternatives jsonb[]; -- the any-of groups that are not one condition
  required jsonb;
  excluded jsonb;
  ways jsonb[];
  alternative jsonb;
BEGIN
  SELECT coalesce(jsonb_agg(c) FILTER (WHERE match = 'all'), '[]'), coalesce(jsonb_agg(c) FILTER (WHERE match = 'none'), '[]')
  INTO required, excluded
  FROM (
    SELECT g ->> 'match' AS match, c FROM jsonb_array_elements(groups) AS g, jsonb_array_elements(g -> 'conditions') AS c WHERE g ->> 'match' <> 'any'
    UNION ALL
    SELECT 'all', any_as_one(g -> 'conditions') FROM jsonb_array_elements(groups) AS g
    WHERE g ->> 'match' = 'any' AND any_as_one(g -> 'conditions') IS NOT NULL
  ) AS single;
  SELECT coalesce(array_agg(g -> 'conditions'), '{}') INTO alternatives
  FROM jsonb_array_elements(groups) AS g WHERE g ->> 'match' = 'any' AND any_as_one(g -> 'conditions') IS NULL;

  IF cardinality(alternatives) = 0 THEN
    RETURN ARRAY[jsonb_build_object('match', 'all', 'conditions', required, 'not', excluded)];
  END IF;
  -- People have one of three statuses: to require some is to exclude the others.
  IF cardinality(alternatives) = 1 AND NOT jsonb_path_exists(required, '$[*] ? (@.about <> "status")') THEN
    SELECT excluded || coalesce(jsonb_agg(jsonb_build_object('about', 'status', 'is', others)), '[]') INTO excluded
    FROM jsonb_array_elements(required) AS c,
      LATERAL (SELECT jsonb_agg(status) AS others FROM unnest(ARRAY['active', 'pending', 'unsubscribed']) AS status
        WHERE NOT c -> 'is' ? status) AS the_others
    WHERE others IS NOT NULL;
    RETURN ARRAY[jsonb_build_object('match', 'any', 'conditions', alternatives[1], 'not', excluded)];
  END IF;
  ways := ARRAY[required];
  FOREACH alternative IN ARRAY alternatives LOOP
    IF cardinality(ways) * jsonb_array_length(alternative) > 10 THEN RETURN NULL; END IF;
    SELECT array_agg(way || jsonb_build_array(c)) INTO ways
    FROM unnest(ways) AS way, jsonb_array_elements(alternative) AS c;
  END LOOP;
  RETURN ARRAY(SELECT jsonb_build_object('match', 'all', 'conditions', way, 'not', excluded) FROM unnest(ways) AS way);
END $$;

DO $$
DECLARE
  segment segments;
  filters jsonb[];
  names text[];
BEGIN
  FOR segment IN SELECT * FROM segments LOOP
    filters := flat_filters(segment.groups);
    IF cardinality(filters) = 1 THEN
      UPDATE segments SET filter = filters[1] WHERE id = segment.id;
      CONTINUE;
    END IF;
    -- Its conditions stay, for staff to rebuild it from.
    UPDATE segments SET is_nested = true, version = version + 1, filter = jsonb_build_object('match', 'all',
      'conditions', jsonb_path_query_array(groups, '$[*] ? (@.match <> "none").conditions[*]'),
      'not', jsonb_path_query_array(groups, '$[*] ? (@.match == "none").conditions[*]'))
    WHERE id = segment.id;
    names := ARRAY(SELECT left(segment.name, 94) || format(' (%s)', i) FROM generate_series(1, cardinality(filters)) AS i);
    -- A newsletter has at most 100 segments, each with a name of its own.
    IF (SELECT count(*) FROM segments WHERE newsletter_id = segment.newsletter_id) + cardinality(filters) <= 100
      AND NOT EXISTS (SELECT FROM segments WHERE newsletter_id = segment.newsletter_id
        AND canonical = ANY (SELECT lower(name) FROM unnest(names) AS name)) THEN
      INSERT INTO segments (id, newsletter_id, name, canonical, groups, filter, "order", columns)
      SELECT gen_random_uuid(), segment.newsletter_id, name, lower(name), '[]', filter, segment."order", segment.columns
      FROM unnest(names, filters) AS part (name, filter);
    END IF;
  END LOOP;
END $$;

DROP FUNCTION flat_filters, any_as_one;
ALTER TABLE segments ALTER COLUMN filter SET NOT NULL, DROP COLUMN groups;

-- A bulk action's filter is the list of the filters that all hold, with tags and fields by number: one filter for the parts that it
-- had beside its groups, and one for each group.
UPDATE bulk_actions AS a SET filter = jsonb_build_array(jsonb_build_object('match', 'all', 'not', '[]'::jsonb, 'conditions', (
  SELECT coalesce(jsonb_agg(condition), '[]') FROM (
    SELECT jsonb_build_object('about', part, 'is', CASE jsonb_typeof(value) WHEN 'array' THEN value ELSE jsonb_build_array(value) END) AS condition
    FROM jsonb_each(a.filter) AS given (part, value) WHERE part IN ('status', 'source')
    UNION ALL
    SELECT jsonb_build_object('about', 'search', 'value', a.filter -> 'search') WHERE a.filter ? 'search'
    UNION ALL
    SELECT jsonb_build_object('about', 'tag', 'is', (SELECT coalesce(jsonb_agg(number), '[]') FROM tags AS t
      WHERE t.newsletter_id = a.newsletter_id AND a.filter -> 'tags' ? t.canonical)) WHERE a.filter ? 'tags'
    UNION ALL
    -- No field has the number 0, and nobody a value of it.
    SELECT jsonb_build_object('about', 'field', 'number', coalesce(f.number, 0), 'type', coalesce(f.type, 'text'), 'test', 'equals', 'value', value)
    FROM jsonb_each(a.filter -> 'fields') AS given (key, value)
      LEFT JOIN fields AS f ON f.newsletter_id = a.newsletter_id AND f.key = given.key AND f.deleted_at IS NULL
    UNION ALL
    SELECT jsonb_build_object('about', regexp_replace(part, 'From|Before', ''), 'test', CASE WHEN part ~ 'From' THEN 'after' ELSE 'before' END, 'at', value)
    FROM jsonb_each(a.filter) AS given (part, value) WHERE part IN ('addedFrom', 'addedBefore', 'confirmedFrom', 'confirmedBefore')
    UNION ALL
    SELECT jsonb_build_object('about', 'import', 'id', a.filter -> 'import', 'part', coalesce(a.filter -> 'importPart', '"added"'))
    WHERE a.filter ? 'import'
  ) AS parts))) || (
  SELECT coalesce(jsonb_agg(CASE g ->> 'match'
    WHEN 'none' THEN jsonb_build_object('match', 'all', 'conditions', '[]'::jsonb, 'not', g -> 'conditions')
    ELSE g || '{"not": []}' END), '[]')
  FROM jsonb_array_elements(a.filter -> 'groups') AS g)
WHERE filter IS NOT NULL;
