-- People choose the order of a project's environments, and which of them ask for a confirmation before a switch. Until
-- now there was only the order of creation, which begins with Production.
alter table environments
  add column position integer check (position >= 0),
  add column protected boolean not null default false;
update environments set position = placed.place, protected = placed.first
from (
  select id, row_number() over (partition by project_id order by first desc, id) - 1 as place, first
  from (select id, project_id, built_in and key = 'production' as first from environments) known
) placed
where placed.id = environments.id;
alter table environments alter column position set not null, alter column protected drop default;
-- Checked at the end of a statement, because moving one environment moves others.
alter table environments
  add constraint environments_position_key unique (project_id, position) deferrable initially immediate;
