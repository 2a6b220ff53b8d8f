import { ApiError } from '@svc/client'
import { expect, test } from 'vitest'
import type { Change, Draft } from './draft.ts'
import { createEditor, type Experiment } from './editor.ts'
import type { Service } from './service.ts'

const change = (id: string, value: string): Change => ({
  ...{ id, type: 'TEXT', page: null, selector: `#${id}`, was: null, value },
})
const draftOf = (...changes: Change[]): Draft => ({ changes, css: null })
const refusal = (message: string, status: number) => new ApiError(message, { code: 'refused', status, requestId: null })

/** An editor whose service refuses the first save, because somebody else has saved. */
function editorBesideAnother(readsTheirs: () => Promise<Draft>) {
  const saves: Draft[] = []
  const service = {
    variationKey: 'b',
    check: async () => ({}),
    async save(_variationKey: string, draft: Draft, etag: string) {
      if (etag === 'old') throw refusal('Somebody else has saved.', 412)
      saves.push(draft)
      return { draft, etag: 'newest' }
    },
    draft: async () => ({ draft: await readsTheirs(), etag: 'new' }),
  } as unknown as Service
  const editor = createEditor({
    service,
    experiment: { pages: [] } as unknown as Experiment,
    saved: { draft: draftOf(change('a', 'before')), etag: 'old' },
    url: 'https://shop.example/',
    tell: () => undefined,
    copy: async () => undefined,
  })
  return { editor, saves }
}

test('a save says why it failed if what somebody else has saved cannot be read, and can be tried again', async () => {
  let isAway = true
  const { editor, saves } = editorBesideAnother(async () => {
    if (isAway) throw refusal('The service does not answer.', 0)
    return draftOf(change('a', 'before'), change('theirs', 'new'))
  })
  const mine = draftOf(change('a', 'mine'))
  editor.edit(mine)
  await editor.save()
  expect(editor.state().notice).toEqual({ text: 'Not saved: The service does not answer.', isBad: true })
  expect([editor.state().isSaving, editor.draft()]).toEqual([false, mine])
  isAway = false
  await editor.save()
  expect(saves).toEqual([draftOf(change('a', 'mine'), change('theirs', 'new'))])
})

test('what is edited while another draft is read is merged too', async () => {
  const { editor, saves } = editorBesideAnother(async () => {
    editor.edit(draftOf(change('a', 'mine'), change('later', 'mine')))
    return draftOf(change('a', 'before'), change('theirs', 'new'))
  })
  editor.edit(draftOf(change('a', 'mine')))
  await editor.save()
  expect(saves[0]!.changes.map(({ id }) => id).sort()).toEqual(['a', 'later', 'theirs'])
})

test('what a button or a key does is said, and what is typed is not', () => {
  const { editor } = editorBesideAnother(async () => draftOf())
  const said = () => editor.state().notice?.text
  editor.edit(draftOf(change('a', 'typed')), 'text #a')
  expect(said()).toBeUndefined()
  editor.edit(draftOf(change('a', 'typed'), change('b', 'new')))
  expect(said()).toBe('Change the text of #b to “new”.')
  editor.press('UNDO')
  expect(said()).toBe('Undone: Change the text of #b to “new”.')
  editor.press('UNDO')
  editor.press('UNDO')
  expect(said()).toBe('There is nothing to undo.')
  editor.press('REDO')
  expect(said()).toBe('Redone: Change the text of #a to “typed”.')
  editor.press('MODE')
  expect(said()).toBe('Clicks act as for visitors.')
})
