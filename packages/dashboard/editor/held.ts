import type { Picked } from '@svc/web/messages'
import type { Target } from './draft.ts'
import type { Editor, EditorState } from './editor.ts'

/** What every view gets: what is edited, and how to edit it. */
export interface Held {
  editor: Editor
  state: EditorState
}

/** What views of the selected element get besides. */
export type Given = Held & { picked: Picked; target: Target }

/** The name of a variation; its key if it has none. */
export const nameOf = (variations: readonly { key: string; name?: string | null }[], key: string): string =>
  variations.find((variation) => variation.key === key)?.name || key
