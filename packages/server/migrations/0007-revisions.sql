-- The pieces in flag_environments are the data file; its bytes are put together in memory. What each revision changed is
-- kept, so that another node fetches no more than that and every past revision can be shown and restored.
create table revisions (
  env_id uuid not null references environments on delete cascade,
  revision integer not null,
  published_at timestamptz,
  etag text not null,
  bytes integer not null,
  publisher jsonb,
  primary key (env_id, revision)
);

-- A flag in the last state that it had while the revision was the newest. `kind` is null where visitors saw no change.
-- `left_key`: the key that left the file by this change. Flags may be gone by now, so nothing refers to them.
create table revision_flags (
  env_id uuid not null references environments on delete cascade,
  revision integer not null,
  flag_id uuid not null,
  key text not null,
  name text not null,
  kind text check (kind in ('ADDED', 'CHANGED', 'REMOVED')),
  left_key text,
  fragment text,
  live jsonb not null,
  primary key (env_id, flag_id, revision)
);
create index revision_flags_revision on revision_flags (env_id, revision);

insert into revisions (env_id, revision, published_at, etag, bytes)
select id, revision, published_at, etag, octet_length(data_file) from environments;

insert into revision_flags (env_id, revision, flag_id, key, name, fragment, live)
select fe.env_id, environments.revision, fe.flag_id, flags.key, flags.name, fe.fragment, fe.live
from flag_environments fe
join flags on flags.id = fe.flag_id
join environments on environments.id = fe.env_id;

alter table environments add column bytes integer not null default 0;
update environments set bytes = octet_length(data_file);
alter table environments drop column data_file;
