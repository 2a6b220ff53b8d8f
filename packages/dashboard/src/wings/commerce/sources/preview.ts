import { api } from '../../../api.ts'
import type { Preview } from './preview-words.ts'
import { sourcePath } from './source.ts'

const previewPath = `${sourcePath}/preview` as const

/** The first rows of a larger file are enough, unless it is one document. */
const wholeBytes = 32 * 1024 * 1024

/** Reads the first rows: of this file, or of the one at the address of the source. Nothing is saved. */
export async function previewSource(projectId: string, sourceId: string, file?: File): Promise<Preview> {
  const params = { path: { projectId, sourceId } }
  if (!file) return (await api.POST(previewPath, { params })).data!.data
  const { data } = await api.POST(previewPath, {
    params,
    headers: { 'content-type': 'application/octet-stream' },
    body: (file.size > wholeBytes ? file.slice(0, wholeBytes) : file) as unknown as string,
    bodySerializer: (body) => body,
  })
  return data!.data
}
