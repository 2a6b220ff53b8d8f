-- Events of a deleted environment stay until their retention ends. An erasure of a visitor must find them until then.
create table deleted_environments (
  env_id uuid primary key,
  project_id uuid not null references projects on delete cascade,
  deleted_at timestamptz not null
);
create index deleted_environments_project on deleted_environments (project_id);

insert into deleted_environments (env_id, project_id, deleted_at)
select object_id, project_id, max(at) from audit_entries
where action = 'environment.delete' and project_id in (select id from projects)
group by object_id, project_id
on conflict do nothing;
