import { Area } from './fields.tsx'
import type { Held } from './held.ts'

/** CSS of the whole variation. */
export function CssPanel({ editor, state: { faults } }: Held) {
  const draft = editor.draft()
  return (
    <Area
      label="CSS of the variation"
      isCode
      value={draft.css ?? ''}
      placeholder=".hero { min-height: 20rem }"
      fault={faults.css}
      hint="It acts on every page of the experiment, after the styles of changes."
      onChange={(css) => editor.edit({ ...draft, css: css === '' ? null : css }, 'css')}
    />
  )
}
