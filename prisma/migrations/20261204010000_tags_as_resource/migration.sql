-- A deleted tag keeps its row, so that an undo can restore it. The clean-up removes its number from subscribers, and then the row.
-- A merged tag is deleted too: subscribers who still have its number have the tag that it was merged into.
ALTER TABLE tags ADD COLUMN deleted_at timestamptz(3), ADD COLUMN merged_into integer,
  ADD CONSTRAINT tags_merged_check CHECK (merged_into IS NULL OR (deleted_at IS NOT NULL AND merged_into <> number));
DROP INDEX tags_canonical;
CREATE UNIQUE INDEX tags_canonical ON tags (newsletter_id, canonical) WHERE deleted_at IS NULL;

-- The bulk action that replaces or removes a tag.
ALTER TABLE bulk_actions DROP CONSTRAINT bulk_actions_kind_check, DROP CONSTRAINT bulk_actions_change_check,
  ADD CONSTRAINT bulk_actions_kind_check CHECK (
    kind IN ('confirm', 'activate', 'unsubscribe', 'erase', 'forget', 'tag', 'untag', 'set_field', 'retag', 'merge', 'copy', 'move')),
  ADD CONSTRAINT bulk_actions_change_check CHECK (
    (change IS NOT NULL) = (kind IN ('tag', 'untag', 'set_field', 'retag', 'merge', 'copy', 'move')));
