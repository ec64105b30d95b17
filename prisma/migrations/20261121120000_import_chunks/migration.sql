-- Lists go from their staged rows to the list inside the database: 100,000 people that pass through the server's memory are
-- 150 MB of garbage, and a pause for everybody else. The throttling key is the domain's to make, so it is staged with the row.
ALTER TABLE "import_rows" ADD COLUMN "person_key" TEXT;

-- A UUID v7 (RFC 9562) as the server makes them: milliseconds, a 12-bit counter, 62 random bits. `n` counts within the statement;
-- beyond the counter the time runs ahead. PostgreSQL's own uuidv7() is there from 18 on only.
CREATE FUNCTION "new_id"(moment timestamptz, n bigint) RETURNS uuid LANGUAGE sql VOLATILE PARALLEL SAFE AS $$
  SELECT (lpad(to_hex((extract(epoch FROM moment) * 1000)::bigint + n / 4096), 12, '0') || '7' || lpad(to_hex(n % 4096), 3, '0')
    || substr(replace(gen_random_uuid()::text, '-', ''), 17))::uuid
$$;
