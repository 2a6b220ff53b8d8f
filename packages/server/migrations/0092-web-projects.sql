-- The experiments of a project are on web pages. It has no flags that people see.
alter table projects drop constraint projects_type_check;
alter table projects add constraint projects_type_check check (type in ('FEATURE_FLAG', 'WEB'));
