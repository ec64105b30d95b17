-- What a list says of people's fields, by number, and tags: their names until the import is carried out, since a plan that comes to
-- nothing must leave no tags behind; then their numbers.
ALTER TABLE import_rows ADD COLUMN fields jsonb, ADD COLUMN tag_names text[], ADD COLUMN tags integer[];
