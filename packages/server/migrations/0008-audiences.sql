-- Ids of the audiences and segments that rules name, whatever the depth.
create function rule_references(rules jsonb) returns jsonb immutable parallel safe language sql as $$
  select jsonb_path_query_array(rules, '$[*].audienceIds[*]')
    || jsonb_path_query_array(rules, '$[*].conditions.**.audience')
    || jsonb_path_query_array(rules, '$[*].conditions.**.segment')
$$;

-- Conditions that rules share. `conditions` is what the API edits.
create table audiences (
  id uuid primary key,
  project_id uuid not null references projects on delete cascade,
  name text not null,
  description text,
  conditions jsonb not null,
  segments jsonb not null generated always as (jsonb_path_query_array(conditions, '$.**.segment')) stored,
  version integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint audiences_name_key unique (project_id, name)
);

-- What an audience is in an environment since its last publish, for as long as a live version there names it.
create table audience_environments (
  env_id uuid not null references environments on delete cascade,
  audience_id uuid not null references audiences on delete cascade,
  live jsonb not null,
  segments jsonb not null generated always as (jsonb_path_query_array(live, '$.**.segment')) stored,
  primary key (env_id, audience_id)
);

-- Named lists of visitor ids, which leave the service as salted hashes alone.
create table segments (
  id uuid primary key,
  project_id uuid not null references projects on delete cascade,
  name text not null,
  description text,
  members text[] not null default '{}',
  count integer not null generated always as (cardinality(members)) stored,
  version integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint segments_name_key unique (project_id, name)
);

-- Pieces of a data file beside its flags, for as long as a running rule needs them.
create table data_file_parts (
  env_id uuid not null references environments on delete cascade,
  section text not null check (section in ('audiences', 'segments')),
  id uuid not null,
  part text not null,
  primary key (env_id, section, id)
);

-- What a revision changed beside the flags, and what an audience was from then on: of segments, and of what left the
-- file, `part` is null.
create table revision_parts (
  env_id uuid not null references environments on delete cascade,
  revision integer not null,
  section text not null check (section in ('audiences', 'segments')),
  id uuid not null,
  name text not null,
  kind text not null check (kind in ('ADDED', 'CHANGED', 'REMOVED')),
  part text,
  primary key (env_id, id, revision)
);
create index revision_parts_revision on revision_parts (env_id, revision);

-- What versions and data files name follows from them: nothing has to remember to note it.
alter table flag_environments
  add column draft_references jsonb not null generated always as (rule_references(draft -> 'rules')) stored,
  add column live_references jsonb not null generated always as (rule_references(live -> 'rules')) stored,
  add column served_references jsonb not null generated always as (coalesce(
    jsonb_path_query_array(('{' || fragment || '}')::jsonb, '$.*.rules[*].when.**.audience')
      || jsonb_path_query_array(('{' || fragment || '}')::jsonb, '$.*.rules[*].when.**.segment'), '[]')) stored;
create index flag_environments_references on flag_environments (env_id)
  where draft_references <> '[]' or live_references <> '[]';
