-- People are no longer merged, nor copied or moved to another newsletter. Merged people stay merged, copied people stay.

-- The activities of a merge named the bulk action, which is deleted after 30 days. They name the person who was kept: the
-- unsubscribe links of the others are about that person. Of a bulk action that is gone it is whom it kept at the same mailbox.
WITH activities AS (
  SELECT e.id, e.kind, e.cause_id, e.subscriber_id,
    split_part(split_part(s.email_canonical, '@', 1), '+', 1) AS local, split_part(s.email_canonical, '@', 2) AS domain
  FROM subscriber_events e JOIN subscribers s ON s.newsletter_id = e.newsletter_id AND s.id = e.subscriber_id
  WHERE e.cause = 'merge'
), at_mailboxes AS (
  SELECT id, kind, cause_id, subscriber_id, CASE WHEN domain IN ('gmail.com', 'googlemail.com')
    THEN replace(local, '.', '') || '@gmail.com' ELSE local || '@' || domain END AS mailbox
  FROM activities
), kept AS (
  SELECT DISTINCT ON (cause_id, mailbox) cause_id, mailbox, subscriber_id AS kept_id FROM at_mailboxes WHERE kind = 'changed'
), named AS (
  SELECT a.id AS cause_id, (member ->> 'id')::uuid AS subscriber_id, (pair #>> '{keep,id}')::uuid AS kept_id
  FROM bulk_actions a CROSS JOIN jsonb_array_elements(a.change -> 'groups') AS pair
    CROSS JOIN jsonb_array_elements((pair -> 'others') || (pair -> 'keep')) AS member
  WHERE a.kind = 'merge'
), found AS (
  SELECT id, coalesce(named.kept_id, kept.kept_id) AS kept_id
  FROM at_mailboxes LEFT JOIN named USING (cause_id, subscriber_id) LEFT JOIN kept USING (cause_id, mailbox)
)
UPDATE subscriber_events e SET cause_id = found.kept_id FROM found WHERE e.id = found.id AND found.kept_id IS NOT NULL;

-- What is under way ends where it is; what is over is still listed, and nothing of it is undone.
UPDATE bulk_actions SET state = 'failed', ended_at = coalesce(ended_at, now()),
  error = 'Merging, copying and moving people was removed from Rollcall. What was done until then stays done.'
WHERE kind IN ('merge', 'copy', 'move') AND state IN ('running', 'undoing');
ALTER TABLE bulk_actions ADD CONSTRAINT bulk_actions_withdrawn_check
  CHECK (kind NOT IN ('merge', 'copy', 'move') OR state NOT IN ('running', 'undoing'));
UPDATE bulk_actions SET skipped = (
  SELECT jsonb_object_agg(reason, people) FROM (
    SELECT CASE key WHEN 'unsubscribed_there' THEN 'unsubscribed' WHEN 'suppressed_there' THEN 'not_to_be_mailed' ELSE key END AS reason,
      sum(value::int) AS people
    FROM jsonb_each_text(skipped) GROUP BY 1
  ) AS sums
) WHERE skipped ?| ARRAY['unsubscribed_there', 'suppressed_there'];
DELETE FROM bulk_action_changes c USING bulk_actions a WHERE a.id = c.bulk_action_id AND a.kind IN ('merge', 'copy', 'move');
ALTER TABLE bulk_action_changes DROP COLUMN named;

-- Confirmations to copied people leave and are cancelled like those of an import.
UPDATE mailings SET kind = 'import' WHERE kind = 'copy';
ALTER TABLE mailings DROP CONSTRAINT mailings_kind_check,
  ADD CONSTRAINT mailings_kind_check CHECK (kind IN ('confirm', 'import', 'retry', 'release'));
