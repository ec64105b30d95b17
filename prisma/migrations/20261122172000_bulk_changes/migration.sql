-- Bulk actions that change tags or a field: what they change, and what each person had before, for the undo.
ALTER TABLE bulk_actions DROP CONSTRAINT bulk_actions_kind_check,
  ADD CONSTRAINT bulk_actions_kind_check CHECK (
    kind IN ('confirm', 'activate', 'unsubscribe', 'erase', 'forget', 'tag', 'untag', 'set_field')),
  ADD COLUMN change jsonb,
  ADD CONSTRAINT bulk_actions_change_check CHECK ((change IS NOT NULL) = (kind IN ('tag', 'untag', 'set_field')));
ALTER TABLE bulk_action_changes ADD COLUMN fields_was jsonb, ADD COLUMN tags_was integer[];
