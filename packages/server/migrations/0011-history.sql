-- What questions about the past need to be answered as it was.

-- A visitor in the history of a segment: 48 bits, as in a data file.
create function member_hash(segment_id uuid, member text) returns bytea stable parallel safe language sql as $$
  select substring(sha256(convert_to(segment_id || '.' || member, 'UTF8')) from 1 for 6)
$$;

-- Who came and who left with an edit of a segment's members, as hashes: who was in it before follows from who is in it
-- now. Kept from when a revision first serves the segment, and beyond its deletion. `version` is the one that the edit
-- made.
create table segment_changes (
  segment_id uuid not null,
  version integer not null,
  project_id uuid not null references projects on delete cascade,
  added bytea[] not null,
  removed bytea[] not null,
  primary key (segment_id, version)
);
create index segment_changes_project on segment_changes (project_id);
-- Hashes do not compress.
alter table segment_changes alter column added set storage external, alter column removed set storage external;

-- Of a segment: the version that the revision serves. Of those before this migration no more is known than who is in it
-- now.
alter table revision_parts add column version integer;
update revision_parts set version = segments.version
from segments where section = 'segments' and segments.id = revision_parts.id;

-- The revisions that an instance served before this one, newest first, each with the time at which it first said so.
alter table sdk_instances add column earlier jsonb not null default '[]';
