-- Bulk actions that copy or move people to another newsletter of their account, and the confirmations that these cause there.
ALTER TABLE bulk_actions DROP CONSTRAINT bulk_actions_kind_check, DROP CONSTRAINT bulk_actions_change_check,
  ADD CONSTRAINT bulk_actions_kind_check CHECK (
    kind IN ('confirm', 'activate', 'unsubscribe', 'erase', 'forget', 'tag', 'untag', 'set_field', 'merge', 'copy', 'move')),
  ADD CONSTRAINT bulk_actions_change_check CHECK (
    (change IS NOT NULL) = (kind IN ('tag', 'untag', 'set_field', 'merge', 'copy', 'move')));
ALTER TABLE mailings DROP CONSTRAINT mailings_kind_check,
  ADD CONSTRAINT mailings_kind_check CHECK (kind IN ('confirm', 'import', 'retry', 'release', 'copy'));
