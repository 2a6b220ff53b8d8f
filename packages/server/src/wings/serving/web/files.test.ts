import { expect, test } from 'vitest'
import { readEngines } from '../../../http/files/web-engine.ts'
import { pagesOf, type StoredDataFile } from '../datafile/index.ts'
import { webFiles } from './files.ts'

test('what pages get is read once from each file, whoever asks', async () => {
  let readings = 0
  const sections = {
    get web() {
      readings += 1
      return ''
    },
  }
  const file = { envId: 'e', revision: 1, sections, blocks: [], bytes: () => Buffer.from('{"flags":{}}') }
  const stored = file as unknown as StoredDataFile
  const store = { find: async () => undefined, findStored: () => stored, watch() {}, watchKeys() {} }
  const files = webFiles(store, { baseUrl: 'https://svc.test', engines: readEngines(), log: { warn() {} } })
  files.scriptOf(stored, 'key')
  for (const kind of ['script', 'document'] as const) files.findHeld(kind, 'key')
  expect(pagesOf(stored).contents).toEqual([])
  expect(readings).toBe(1)
})

test('a change that pages no longer get is logged once, and the document has the rest', async () => {
  const change = { id: 'c1', type: 'HTML', page: null, selector: 'p', value: '<script>1</script>' }
  const content = { changes: [change], css: 'p {}', js: null, redirect: null }
  const web = `"x1":${JSON.stringify({ pages: [], activation: 'PAGE', variations: { price: content } })}`
  const at = (revision: number) => ({ envId: 'e', revision, sections: { web } }) as unknown as StoredDataFile
  let stored = at(1)
  const store = { find: async () => undefined, findStored: () => stored, watch() {}, watchKeys() {} }
  const logged: object[] = []
  const log = { warn: (fields: object) => void logged.push(fields) }
  const files = webFiles(store, { baseUrl: 'https://svc.test', engines: readEngines(), log })
  const documentAt = async (revision: number) => {
    stored = at(revision)
    const body = (await files.findHeld('document', 'key')!.body('identity')).toString()
    return JSON.parse(body).experiments[0].variations.price
  }
  for (const revision of [1, 2, 2])
    expect(await documentAt(revision)).toMatchObject({ changes: [], css: [{ text: 'p {}' }] })
  expect(logged).toEqual([{ envId: 'e', changes: [expect.objectContaining({ key: 'x1', changeId: 'c1' })] }])
})
