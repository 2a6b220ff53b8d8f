-- Rules, audiences, segments and webhooks have keys, which addresses take in place of their ids. Those that exist get
-- theirs in the order in which they were made, each from its name, as `projects/key.ts` makes them.
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

alter table audiences add column key text;
alter table segments add column key text;
alter table webhooks add column key text;

do $$
declare
  noun text;
  named record;
  project uuid;
  keys text[];
  made text;
begin
  foreach noun in array array['audience', 'segment', 'webhook'] loop
    project := null;
    for named in execute format('select id, project_id, name from %I order by project_id, id', noun || 's') loop
      if named.project_id is distinct from project then
        project := named.project_id;
        keys := '{}';
      end if;
      made := pg_temp.key_for(named.name, noun, keys);
      keys := keys || made;
      execute format('update %I set key = $1 where id = $2', noun || 's') using made, named.id;
    end loop;
  end loop;
end $$;

alter table audiences alter column key set not null;
alter table audiences add constraint audiences_key_key unique (project_id, key);
alter table segments alter column key set not null;
alter table segments add constraint segments_key_key unique (project_id, key);
alter table webhooks alter column key set not null;
alter table webhooks add constraint webhooks_key_key unique (project_id, key);

-- The key of a rule is in its definition, also in those that past revisions keep: a restored rule has it again. A rule
-- is called after its newest name.
create temporary table rule_keys (id text primary key, key text not null) on commit drop;

do $$
declare
  named record;
  place text;
  keys text[];
  made text;
begin
  for named in
    select distinct on (flag_id, env_id, id) flag_id, env_id, id, name from (
      select flag_id, env_id, rule ->> 'id' as id, rule ->> 'name' as name, 0::bigint as age
      from flag_environments, jsonb_array_elements(draft -> 'rules') rule
      union all
      select flag_id, env_id, rule ->> 'id', rule ->> 'name', 1
      from flag_environments, jsonb_array_elements(live -> 'rules') rule
      union all
      select flag_id, env_id, rule ->> 'id', rule ->> 'name', 9000000000000 - revision
      from revision_flags, jsonb_array_elements(live -> 'rules') rule
    ) rules order by flag_id, env_id, id, age
  loop
    if place is distinct from named.flag_id || ' ' || named.env_id then
      place := named.flag_id || ' ' || named.env_id;
      keys := '{}';
    end if;
    made := pg_temp.key_for(named.name, 'rule', keys);
    keys := keys || made;
    insert into rule_keys (id, key) values (named.id, made);
  end loop;
end $$;
analyze rule_keys;

create function pg_temp.keyed(version jsonb) returns jsonb language sql as $$
  select jsonb_set(version, '{rules}', coalesce((
    select jsonb_agg(rule || jsonb_build_object('key', keys.key) order by place)
    from jsonb_array_elements(version -> 'rules') with ordinality listed (rule, place)
      join rule_keys keys on keys.id = rule ->> 'id'), '[]'))
$$;

update flag_environments set draft = pg_temp.keyed(draft), live = pg_temp.keyed(live)
where draft -> 'rules' <> '[]' or live -> 'rules' <> '[]';
update revision_flags set live = pg_temp.keyed(live) where live -> 'rules' <> '[]';

drop function pg_temp.keyed(jsonb);
drop function pg_temp.key_for(text, text, text[]);
