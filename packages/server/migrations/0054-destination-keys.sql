-- Destinations have keys as webhooks do, each kind of its own. Those that exist get theirs in the order in which they were
-- made, each from its name, as `projects/key.ts` makes them.
create function pg_temp.key_for(name text, word text, taken text[]) returns text language plpgsql as $$
declare
  slug text;
  candidate text;
  number integer := 2;
begin
  slug := rtrim(left(btrim(regexp_replace(lower(normalize(name, nfkd)), '[^a-z0-9]+', '-', 'g'), '-'), 100), '-');
  if slug = '' then
    slug := word;
  elsif slug ~ '^[0-9]+$' or slug ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then
    slug := rtrim(left(word || '-' || slug, 100), '-');
  end if;
  candidate := slug;
  while candidate = any(taken) loop
    candidate := left(slug, 99 - length(number::text)) || '-' || number;
    number := number + 1;
  end loop;
  return candidate;
end $$;

do $$
declare
  named record;
  project uuid;
  keys text[];
  made text;
begin
  for named in
    select id, project_id, name from destinations where kind <> 'WEBHOOK' and user_id is null order by project_id, id
  loop
    if named.project_id is distinct from project then
      project := named.project_id;
      keys := '{}';
    end if;
    made := pg_temp.key_for(named.name, 'destination', keys);
    keys := keys || made;
    update destinations set key = made where id = named.id;
  end loop;
end $$;

alter table destinations drop constraint destinations_key_key;
alter table destinations add check (key is not null or user_id is not null);
create unique index webhooks_key_key on destinations (project_id, key) where kind = 'WEBHOOK';
create unique index destinations_key_key on destinations (project_id, key) where kind <> 'WEBHOOK';

create or replace view integrations as
  select id, org_id, project_id, kind, name, config, events, environment_ids, all_projects, template, digest, quiet_hours,
    enabled, disabled_at, disable_reason, consecutive_failures, held_until, version, secret_id, created_at, updated_at, key
  from destinations where kind <> 'WEBHOOK' and user_id is null
  with check option;
