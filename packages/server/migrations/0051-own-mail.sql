-- Mail about a project that a person gets alone: a destination of kind EMAIL that nobody else sees. It ends with the
-- membership. A project in which the person has chosen nothing has no row, or one that was made for the default of their
-- role. In `events`, SAFETY stands for all safety events.
alter table destinations
  add column user_id uuid,
  add column is_chosen boolean not null default true,
  add foreign key (org_id, user_id) references memberships (org_id, user_id) on delete cascade,
  add check (user_id is null or kind = 'EMAIL');
create unique index destinations_own on destinations (user_id, project_id) where user_id is not null;

create or replace view integrations as
  select id, org_id, project_id, kind, name, config, events, environment_ids, all_projects, template, digest, quiet_hours,
    enabled, disabled_at, disable_reason, consecutive_failures, held_until, version, secret_id, created_at, updated_at
  from destinations where kind <> 'WEBHOOK' and user_id is null
  with check option;

create view own_mail as
  select id, org_id, project_id, user_id, is_chosen, kind, name, events, digest, enabled, disabled_at, disable_reason,
    consecutive_failures, version, secret_id, created_at, updated_at
  from destinations where user_id is not null
  with check option;
