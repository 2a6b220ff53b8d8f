-- A project has a key, which addresses take in place of its id, and a version, which its ETag counts.
alter table projects add column key text, add column version integer not null default 1;

-- In the order in which they were made, each from its name, as `projects/key.ts` makes them.
do $$
declare
  project record;
  slug text;
  taken text;
  number integer;
begin
  for project in select id, org_id, name from projects order by org_id, id loop
    slug := rtrim(left(btrim(regexp_replace(lower(normalize(project.name, nfkd)), '[^a-z0-9]+', '-', 'g'), '-'), 100), '-');
    if slug = '' then
      slug := 'project';
    elsif slug ~ '^[0-9]+$' or slug ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then
      slug := rtrim(left('project-' || slug, 100), '-');
    end if;
    taken := slug;
    number := 2;
    while exists (select from projects where org_id = project.org_id and key = taken) loop
      taken := left(slug, 99 - length(number::text)) || '-' || number;
      number := number + 1;
    end loop;
    update projects set key = taken where id = project.id;
  end loop;
end $$;

alter table projects alter column key set not null;
alter table projects add constraint projects_key_key unique (org_id, key);
