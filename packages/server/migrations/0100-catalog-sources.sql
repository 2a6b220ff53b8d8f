-- Where the products and orders of a project come from.
create table catalog_sources (
  id uuid primary key,
  project_id uuid not null references projects on delete cascade,
  key text not null,
  name text not null,
  type text not null check (type in ('PRODUCTS', 'SUPPLEMENT', 'ORDERS')),
  mode text not null check (mode in ('FULL', 'DELTA')),
  format text not null check (format in ('AUTO', 'GOOGLE_XML', 'CSV', 'TSV', 'JSONL', 'SHOPIFY_JSON')),
  encoding text not null check (encoding in ('utf-8', 'windows-1252')),
  -- Null: only uploads bring something.
  url text,
  -- How the address is read, with the secret as it is shown.
  auth jsonb,
  -- Our field → their column.
  mapping jsonb not null,
  default_currency text,
  guards jsonb not null,
  schedule jsonb,
  -- The environment of orders.
  env_id uuid references environments on delete cascade,
  -- What a supplement sets.
  fields jsonb,
  -- The secret is sealed for this id, which changes with it.
  secret_id uuid,
  sealed bytea,
  version integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  check ((secret_id is null) = (sealed is null) and (secret_id is null) = (auth is null)),
  check ((type = 'ORDERS') = (env_id is not null)),
  check ((type = 'SUPPLEMENT') = (fields is not null)),
  constraint catalog_sources_key_key unique (project_id, key),
  constraint catalog_sources_name_key unique (project_id, name)
);
create index catalog_sources_environment on catalog_sources (env_id) where env_id is not null;
