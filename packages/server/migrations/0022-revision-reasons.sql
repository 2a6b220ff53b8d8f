-- Why a revision was made, in the words of the event `flag.published`, and the comment of its publish. The history shows
-- both. Of earlier revisions, the audit log knows those that a publish made.
alter table revisions add column reason text, add column comment text;
update revisions set reason = 'PUBLISHED', comment = entry.after ->> 'comment'
from audit_entries entry
where entry.action = 'environment.publish' and entry.object_id = revisions.env_id
  and (entry.after ->> 'revision')::integer = revisions.revision
  and (entry.before ->> 'revision')::integer < revisions.revision;
