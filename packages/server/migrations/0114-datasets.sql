-- What models of recommendations learn from: tables with immutable versions, one of them active.
create table datasets (
  id uuid primary key,
  project_id uuid not null references projects on delete cascade,
  key text not null,
  name text not null,
  kind text not null check (kind in ('INTERACTIONS', 'NEIGHBOURS')),
  -- Which events are interactions. Null: versions are uploaded.
  derivation jsonb,
  guards jsonb not null,
  schedule jsonb,
  -- The number of its last version, and the version that models read.
  versions integer not null default 0,
  active_version_id uuid,
  version integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  check ((kind = 'INTERACTIONS') = (derivation is not null)),
  constraint datasets_key_key unique (project_id, key),
  constraint datasets_name_key unique (project_id, name)
);

-- A derived version says which events it is, and these are read again: nothing is kept twice.
create table dataset_versions (
  id uuid primary key,
  dataset_id uuid not null references datasets on delete cascade,
  -- Null while its rows arrive.
  number integer,
  job_id uuid unique,
  status text not null check (status in ('ARRIVING', 'READY', 'HELD')),
  derivation jsonb,
  rows integer not null default 0,
  units integer,
  products integer not null default 0,
  -- Of a derived one: the time of its events, up to not including `until`, and the last batch of them.
  from_at timestamptz,
  until_at timestamptz,
  batch bigint,
  sha256 text,
  checks jsonb not null default '[]',
  created_at timestamptz not null,
  activated_at timestamptz,
  unique (dataset_id, number)
);

-- Rows that were uploaded, 5,000 together, as lines of JSON packed by gzip. Nothing looks one up.
create table dataset_chunks (
  version_id uuid not null references dataset_versions on delete cascade,
  number integer not null,
  rows integer not null,
  bytes bytea not null,
  primary key (version_id, number)
);
alter table dataset_chunks alter column bytes set storage external;

alter table models add constraint models_dataset_id_fkey foreign key (dataset_id) references datasets;
create index models_dataset on models (dataset_id) where dataset_id is not null;
