-- Data files and addresses call rules, audiences and segments by numbers, counted per project.
create table short_id_counters (
  project_id uuid not null references projects on delete cascade,
  kind text not null check (kind in ('RULE', 'AUDIENCE', 'SEGMENT')),
  last integer not null,
  primary key (project_id, kind)
);

alter table audiences add column short_id integer;
update audiences set short_id = numbered.place
from (select id, row_number() over (partition by project_id order by id) as place from audiences) numbered
where numbered.id = audiences.id;
alter table audiences alter column short_id set not null;
alter table audiences add constraint audiences_short_id_key unique (project_id, short_id);

alter table segments add column short_id integer;
update segments set short_id = numbered.place
from (select id, row_number() over (partition by project_id order by id) as place from segments) numbered
where numbered.id = segments.id;
alter table segments alter column short_id set not null;
alter table segments add constraint segments_short_id_key unique (project_id, short_id);

-- The number of a rule is in its definition, also in those that past revisions keep: a restored rule has it again.
create temporary table rule_numbers on commit drop as
select id, project_id, row_number() over (partition by project_id order by id) as short_id
from (
  select rule ->> 'id' as id, project_id
  from flag_environments fe join environments env on env.id = fe.env_id,
    jsonb_array_elements((fe.draft -> 'rules') || (fe.live -> 'rules')) rule
  union
  select rule ->> 'id', project_id
  from revision_flags past join environments env on env.id = past.env_id,
    jsonb_array_elements(past.live -> 'rules') rule
) rules;
create unique index on rule_numbers (id);
analyze rule_numbers;

create function pg_temp.numbered(version jsonb) returns jsonb language sql as $$
  select jsonb_set(version, '{rules}', coalesce((
    select jsonb_agg(rule || jsonb_build_object('shortId', numbers.short_id) order by place)
    from jsonb_array_elements(version -> 'rules') with ordinality listed (rule, place)
      join rule_numbers numbers on numbers.id = rule ->> 'id'), '[]'))
$$;

update flag_environments set draft = pg_temp.numbered(draft), live = pg_temp.numbered(live)
where draft -> 'rules' <> '[]' or live -> 'rules' <> '[]';
update revision_flags set live = pg_temp.numbered(live) where live -> 'rules' <> '[]';

drop function pg_temp.numbered(jsonb);

insert into short_id_counters (project_id, kind, last)
select project_id, 'AUDIENCE', max(short_id) from audiences group by project_id
union all
select project_id, 'SEGMENT', max(short_id) from segments group by project_id
union all
select project_id, 'RULE', max(short_id) from rule_numbers group by project_id;

-- What the data file calls the part.
alter table revision_parts add column short_id integer;
update revision_parts set short_id = audiences.short_id from audiences where audiences.id = revision_parts.id;
update revision_parts set short_id = segments.short_id from segments where segments.id = revision_parts.id;

-- The file names audiences and segments by number now: which ones, by id, is written with the fragment.
alter table flag_environments alter column served_references drop expression;
alter table flag_environments alter column served_references set default '[]';

-- The hashes of a segment stay as they are; only its name in front of them, an id in quotes and a colon, changes.
update data_file_parts set part = '"' || segments.short_id || '":' || substr(part, 40)
from segments where section = 'segments' and segments.id = data_file_parts.id and part <> '';

-- The first start makes the data files of these environments anew, each in a transaction of its own.
alter table environments add column outdated boolean not null default false;
update environments set outdated = true;
