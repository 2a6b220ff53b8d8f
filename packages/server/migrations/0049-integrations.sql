-- Destinations of other kinds than webhooks: what they are configured with, what they hear, and when they can be sent to.
alter table destinations
  alter column key drop not null,
  alter column url drop not null,
  -- Without secrets: those are in destination_secrets, and here stands what shows which ones they are.
  add column config jsonb not null default '{}',
  add column environment_ids uuid[],
  add column all_projects boolean not null default false,
  add column template jsonb,
  add column digest text not null default 'NONE' check (digest in ('NONE', 'HOURLY', 'DAILY')),
  add column quiet_hours boolean not null default true,
  -- The vendor asked to wait until then, for the so many-th time in a row since that moment.
  add column held_until timestamptz,
  add column holding_since timestamptz,
  add column holds integer not null default 0,
  -- A delivery is under way, or the last one is too recent.
  add column busy_until timestamptz,
  add check (kind <> 'WEBHOOK' or (key is not null and url is not null));
create index destinations_integrations on destinations (id) where kind <> 'WEBHOOK';

-- What the routes of the other destinations see and write: no webhook, whatever a statement says.
create view integrations as
  select id, org_id, project_id, kind, name, config, events, environment_ids, all_projects, template, digest, quiet_hours,
    enabled, disabled_at, disable_reason, consecutive_failures, held_until, version, secret_id, created_at, updated_at
  from destinations where kind <> 'WEBHOOK'
  with check option;
