-- Organizations, the people in them, their credentials.
create table organizations (
  id uuid primary key,
  short_id integer generated always as identity unique,
  name text not null,
  features text[] not null,
  next_project_short_id integer not null default 1,
  created_at timestamptz not null
);

create table users (
  id uuid primary key,
  email text not null unique check (email = lower(email)),
  name text not null,
  password_hash text,
  created_at timestamptz not null
);

create table roles (
  id uuid primary key,
  org_id uuid not null references organizations on delete cascade,
  name text not null,
  built_in boolean not null,
  capabilities text[] not null,
  created_at timestamptz not null,
  constraint roles_name_key unique (org_id, name)
);

create table memberships (
  org_id uuid not null references organizations on delete cascade,
  user_id uuid not null references users on delete cascade,
  role_id uuid not null references roles,
  created_at timestamptz not null,
  primary key (org_id, user_id)
);
create index memberships_user on memberships (user_id);

-- Service tokens belong to an organization and carry scopes; personal tokens belong to a user and carry none.
-- A rotated-out secret is a row of its own whose expiry is the end of its grace.
create table tokens (
  id uuid primary key,
  kind text not null check (kind in ('SERVICE', 'PERSONAL')),
  org_id uuid references organizations on delete cascade,
  user_id uuid references users on delete cascade,
  name text not null,
  description text,
  secret_hash bytea not null unique,
  scopes text[],
  expires_at timestamptz,
  revoked_at timestamptz,
  replaced_by uuid references tokens,
  last_used_at timestamptz,
  last_used_ip text,
  last_used_user_agent text,
  created_at timestamptz not null,
  check ((kind = 'SERVICE') = (org_id is not null and scopes is not null)),
  check ((kind = 'PERSONAL') = (user_id is not null))
);

create table projects (
  id uuid primary key,
  org_id uuid not null references organizations on delete cascade,
  short_id integer not null,
  name text not null,
  type text not null check (type in ('FEATURE_FLAG')),
  next_flag_short_id integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  unique (org_id, short_id)
);

-- An environment carries its published data file: what every node keeps in memory and serves.
create table environments (
  id uuid primary key,
  project_id uuid not null references projects on delete cascade,
  name text not null,
  key text not null,
  color text not null,
  built_in boolean not null,
  sdk_key text not null unique,
  version integer not null default 1,
  revision integer not null default 0,
  data_file bytea not null,
  etag text not null,
  published_at timestamptz,
  last_heartbeat_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint environments_name_key unique (project_id, name),
  constraint environments_key_key unique (project_id, key)
);

create table sdk_instances (
  env_id uuid not null references environments on delete cascade,
  sdk_type text not null,
  sdk_version text not null,
  instance_id text not null,
  last_seen_at timestamptz not null,
  primary key (env_id, sdk_type, sdk_version, instance_id)
);

create table flags (
  id uuid primary key,
  project_id uuid not null references projects on delete cascade,
  short_id integer not null,
  key text not null,
  name text not null,
  description text,
  type text not null check (type in ('BOOLEAN', 'STRING')),
  variations jsonb not null,
  default_variation_id uuid not null,
  tags text[] not null,
  ever_enabled boolean not null default false,
  ever_archived boolean not null default false,
  version integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  archived_at timestamptz,
  unique (project_id, short_id),
  constraint flags_key_key unique (project_id, key)
);

-- One flag in one environment: its switch, what is drafted, what is live, and its piece of the data file.
create table flag_environments (
  flag_id uuid not null references flags on delete cascade,
  env_id uuid not null references environments on delete cascade,
  enabled boolean not null default false,
  draft jsonb not null,
  live jsonb not null,
  published boolean not null default false,
  last_published_revision integer,
  fragment text,
  primary key (flag_id, env_id)
);
create index flag_environments_env on flag_environments (env_id);
create index flag_environments_staged on flag_environments (env_id) where draft is distinct from live;

-- A rule's switch and history; its definition lies in the draft and in the live version above.
create table rules (
  id uuid primary key,
  flag_id uuid not null,
  env_id uuid not null,
  enabled boolean not null,
  first_served_at timestamptz,
  version integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  foreign key (flag_id, env_id) references flag_environments on delete cascade
);
create index rules_flag_environment on rules (flag_id, env_id);

-- What happened, written in the transaction of every change.
create table audit_entries (
  id uuid primary key,
  org_id uuid not null references organizations on delete cascade,
  project_id uuid,
  at timestamptz not null,
  actor_type text not null,
  actor_id uuid,
  actor_name text not null,
  action text not null,
  object_type text not null,
  object_id uuid not null,
  object_name text not null,
  before jsonb,
  after jsonb,
  request_id text,
  ip text,
  user_agent text
);
create index audit_entries_org on audit_entries (org_id, id);

-- Each project counts its events without a gap: the counter's row is the last lock of every change, so that the
-- order of the numbers is the order of the commits and a reader that has seen number n has seen all before it.
create table event_counters (
  project_id uuid primary key references projects on delete cascade,
  last_seq bigint not null
);

create table events (
  project_id uuid not null references projects on delete cascade,
  seq bigint not null,
  id uuid not null unique,
  org_id uuid not null references organizations on delete cascade,
  name text not null,
  payload jsonb not null,
  -- Null: the system itself.
  triggered_by jsonb,
  occurred_at timestamptz not null,
  primary key (project_id, seq)
);
