import type { Target } from '../sending/store.ts'
import type { Source } from './source.ts'

/** What a file of a source can be called. */
export const accept = '.xml,.rss,.atom,.csv,.tsv,.txt,.json,.jsonl,.ndjson,.gz'

export const maxFileBytes = 1_000_000_000

/** @param apply the held job whose file is sent again */
export const targetOf = (
  { id, name, projectId }: Pick<Source, 'id' | 'name' | 'projectId'>,
  apply?: string,
): Target => ({
  ...{ id, name, projectId, hasJob: true },
  path: `/api/v1/projects/${projectId}/catalog/sources/${id}/uploads${apply === undefined ? '' : `?apply=${apply}`}`,
})
