-- Who staged each difference between draft and live version, and when: by the path of the difference, as the API names
-- it. Differences from before this migration have no author.
alter table flag_environments add column staged_by jsonb not null default '{}';

-- The last edit of an audience's conditions, which wait for a publish of each environment that uses the audience.
alter table audiences add column conditions_by jsonb;
