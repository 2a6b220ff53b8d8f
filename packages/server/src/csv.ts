import { type ColumnOption, stringify } from 'csv-stringify/sync'

/**
 * CSV as RFC 4180 has it, with texts in quotes. A text that a spreadsheet could read as a formula begins with an
 * apostrophe, because names can come from strangers. Numbers stay numbers. A file begins with a byte order mark,
 * without which Excel reads UTF-8 in the encoding of its country.
 */
export const csvOf = (rows: object[], columns: ColumnOption[], { header = true } = {}): string =>
  stringify(rows, {
    columns,
    header,
    bom: header,
    escape_formulas: true,
    quoted_string: true,
    record_delimiter: 'windows',
    cast: { boolean: String },
  })
