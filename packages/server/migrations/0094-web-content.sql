-- What served web experiments do to pages, and the settings of a web project: data files leave this section out, and web
-- documents have it.
alter table data_file_parts drop constraint data_file_parts_section_check;
alter table data_file_parts add constraint data_file_parts_section_check
  check (section in ('audiences', 'segments', 'exclusionGroups', 'holdouts', 'web'));

alter table revision_parts drop constraint revision_parts_section_check;
alter table revision_parts add constraint revision_parts_section_check
  check (section in ('audiences', 'segments', 'web'));

-- Null until somebody changes the settings.
alter table projects add column web jsonb;
