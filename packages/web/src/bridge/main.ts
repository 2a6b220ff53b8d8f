import type { Door } from '../engine/door.ts'
import { openEditor } from './editor.ts'
import { openPreview } from './preview.ts'

let isOpen = false

/** Shows in this page what the tab was opened for. A second tag of the script on the page opens nothing. */
export function open({ opened, ...service }: Door): void {
  if (isOpen) return
  isOpen = true
  const [kind, secret] = opened.split('=') as ['svc-preview' | 'svc-editor', string]
  if (kind === 'svc-editor') openEditor(window, { ...service, code: secret })
  else void openPreview(window, { ...service, secret })
}
