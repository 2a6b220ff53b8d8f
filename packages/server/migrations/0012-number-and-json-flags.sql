alter table flags drop constraint flags_type_check;
alter table flags add constraint flags_type_check check (type in ('BOOLEAN', 'STRING', 'NUMBER', 'JSON'));
