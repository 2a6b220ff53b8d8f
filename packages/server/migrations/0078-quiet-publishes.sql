-- What goes live without changing the data file is a row of its own: a step after the revision, from 1. Step 0 is the
-- change of the file. `audiences` are the edits that a publish made live, whether or not the file needs them.
alter table revisions
  add column step integer not null default 0,
  add column audiences jsonb not null default '[]';
alter table revisions drop constraint revisions_pkey, add primary key (env_id, revision, step);

alter table revision_flags add column step integer not null default 0;
alter table revision_flags drop constraint revision_flags_pkey, add primary key (env_id, flag_id, revision, step);

-- Of earlier steps, the audit log knows the publishes. Where several changed a flag in the same revision, only the last
-- version was kept: it belongs to the last one.
create temporary table quiet_publishes on commit drop as
select revisions.env_id, revisions.revision, revisions.etag, revisions.bytes, entry.at, entry.actor_type,
  entry.actor_id, entry.actor_name, entry.after,
  row_number() over (partition by revisions.env_id, revisions.revision order by entry.seq)::integer as step
from audit_entries entry join revisions on revisions.env_id = entry.object_id
  and revisions.revision = (entry.after ->> 'revision')::integer
where entry.action = 'environment.publish' and entry.before ->> 'revision' = entry.after ->> 'revision';

insert into revisions (env_id, revision, step, published_at, etag, bytes, publisher, reason, comment, audiences)
select env_id, revision, step, at, etag, bytes,
  jsonb_build_object('type', actor_type, 'id', actor_id, 'name', actor_name), 'PUBLISHED', after ->> 'comment', (
    select coalesce(jsonb_agg(jsonb_build_object('id', edited -> 'audienceId', 'name', edited -> 'name',
      'from', edited #> '{changes,0,from}', 'to', edited #> '{changes,0,to}')), '[]')
    from jsonb_array_elements(coalesce(after -> 'audiences', '[]')) edited)
from quiet_publishes;

update revision_flags set step = last.step
from (
  select env_id, revision, flag ->> 'flagId' as flag_id, max(step) as step
  from quiet_publishes, jsonb_array_elements(coalesce(after -> 'flags', '[]')) flag
  group by env_id, revision, flag ->> 'flagId'
) last
where revision_flags.kind is null and revision_flags.env_id = last.env_id
  and revision_flags.revision = last.revision and revision_flags.flag_id::text = last.flag_id;
