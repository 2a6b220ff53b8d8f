-- The products of a shop. A catalog has a revision number, like a data file: versions of items are written beside the
-- visible ones in small transactions, and become visible by changing that number. What revision R shows is
-- `from_rev <= R and (to_rev is null or to_rev > R)`.
create table catalogs (
  id uuid primary key,
  project_id uuid not null unique references projects,
  revision bigint not null default 0,
  -- Counts changes of the settings, for ETags.
  version integer not null default 1,
  -- The reporting currency, and what one unit of other currencies is worth in it.
  currency text,
  rates jsonb not null default '{}',
  order_trust text not null default 'AUTO' check (order_trust in ('AUTO', 'SDK', 'CONFIRMED')),
  orders_confirmed_from timestamptz,
  -- What the revision shows.
  items integer not null default 0,
  products integer not null default 0,
  -- The job that writes versions of the next revision, with its fence. Left-overs of a job that died stay until somebody
  -- undoes them.
  writing_job_id uuid,
  writing_claims bigint,
  created_at timestamptz not null,
  updated_at timestamptz not null
);

-- Versions of items. The ids are those of the shop, and their order is that of bytes on each server. No reference to the
-- project: it would be looked up for each of a million rows. The row of `catalogs` has one, and is locked by writers.
create table catalog_items (
  project_id uuid not null,
  item_id text collate "C" not null,
  from_rev bigint not null,
  to_rev bigint,
  product_id text collate "C" not null,
  -- The source that brought the item first and owns it; null for items by the API.
  source_id uuid,
  hash text not null,
  -- The levels with ' > ' between them; '' without any.
  category text collate "C" not null,
  price numeric(16, 4) not null,
  availability text not null,
  -- What a search and the filters look for, see `search.ts`.
  words tsvector not null,
  doc jsonb not null,
  primary key (project_id, item_id, from_rev)
);
create index catalog_items_product on catalog_items (project_id, product_id, item_id);
create index catalog_items_category on catalog_items (project_id, category);
create index catalog_items_words on catalog_items using gin (words);
create index catalog_items_superseded on catalog_items (project_id, to_rev) where to_rev is not null;

-- Versions of what supplements say about items. They win over the item's own values, the newest source first.
create table catalog_values (
  project_id uuid not null,
  item_id text collate "C" not null,
  source_id uuid not null,
  from_rev bigint not null,
  to_rev bigint,
  fields jsonb not null,
  primary key (project_id, item_id, source_id, from_rev)
);
create index catalog_values_superseded on catalog_values (project_id, to_rev) where to_rev is not null;

-- What each revision changed, and what it shows.
create table catalog_revisions (
  project_id uuid not null references projects,
  revision bigint not null,
  made_at timestamptz not null,
  made_by jsonb not null,
  -- Null for a batch by the API.
  job_id uuid,
  source_id uuid,
  added integer not null,
  changed integer not null,
  removed integer not null,
  unchanged integer not null,
  items integer not null,
  products integer not null,
  primary key (project_id, revision)
);
create index catalog_revisions_age on catalog_revisions (made_at);
