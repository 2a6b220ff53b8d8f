import { lazy, Suspense } from 'react'
import { ChangePanel } from './change-panel.tsx'
import { CodeForm } from './code-section.tsx'
import { CssPanel } from './css-panel.tsx'
import type { Design } from './design.ts'
import { exampleOf } from './example.ts'
import { HandOffPanel } from './hand-off-panel.tsx'
import { namesOf } from './names.ts'
import { RedirectPanel } from './redirect/redirect-panel.tsx'

const JsonPanel = lazy(async () => ({ default: (await import('./json-panel.tsx')).JsonPanel }))

// Its code draws a QR code.
const PreviewPanel = lazy(async () => ({ default: (await import('./preview-panel.tsx')).PreviewPanel }))

interface DesignPanelsProps {
  design: Design
  /** What the address says. */
  panel: string
  changeId: string | undefined
  onClose: () => void
}

/** The panel that is open. Reading is for everyone, the forms are for those who can save them. */
export function DesignPanels({ design, panel, changeId, onClose }: DesignPanelsProps) {
  const { canEdit, canRedirect, canPreview, content, path, variation } = design
  const change = content.changes.find(({ id }) => id === changeId)
  if (panel === 'hand-off') return <HandOffPanel path={path} name={variation.name} onClose={onClose} />
  if (panel === 'json' || (panel === 'example' && canEdit))
    return (
      <Suspense>
        <JsonPanel
          design={design}
          names={namesOf(design)}
          {...(panel === 'example' && { start: exampleOf(design) })}
          onClose={onClose}
        />
      </Suspense>
    )
  if (panel === 'preview' && canPreview)
    return (
      <Suspense>
        <PreviewPanel design={design} onClose={onClose} />
      </Suspense>
    )
  if (panel === 'redirect' && canRedirect) return <RedirectPanel design={design} onClose={onClose} />
  if (!canEdit) return null
  if (panel === 'add') return <ChangePanel key="add" design={design} change={undefined} onClose={onClose} />
  if (panel === 'edit' && change)
    return <ChangePanel key={change.id} design={design} change={change} onClose={onClose} />
  if (panel === 'css') return <CssPanel design={design} onClose={onClose} />
  if (panel === 'code') return <CodeForm design={design} onClose={onClose} />
  return null
}
