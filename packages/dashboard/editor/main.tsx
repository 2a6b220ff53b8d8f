import 'virtual:editor-colors.css'
import './editor.css'
import type { FromPage } from '@svc/web/messages'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { connect } from './connection.ts'
import { createEditor, type Editor } from './editor.ts'
import { openService } from './service.ts'
import { Stopped } from './stopped.tsx'
import { Workbench } from './workbench.tsx'

const root = createRoot(document.getElementById('root')!)
const stop = (text: string): void => root.render(<Stopped text={text} />)

async function start(): Promise<void> {
  let editor: Editor | undefined
  const early: FromPage[] = []
  const found = connect(window, (message) => (editor ? editor.hear(message) : early.push(message)))
  if (!found) return stop('Open the editor from the design page of a web experiment in the dashboard.')
  const { code, tell } = await found
  // The session is in the address of this frame, and in the code.
  const [editorId = ''] = code.split('.')
  const service = await openService(editorId, code, (message) => editor?.end(message)).catch((error: unknown) => {
    tell({ type: 'refused' })
    throw error
  })
  const [experiment, saved] = await Promise.all([service.experiment(), service.draft(service.variationKey)])
  const url = early.find((message) => message.type === 'ready')?.url ?? ''
  const copy = (text: string) => navigator.clipboard.writeText(text)
  editor = createEditor({ service, experiment, saved, url, tell, copy })
  for (const message of early) editor.hear(message)
  editor.begin()
  root.render(
    <StrictMode>
      <Workbench editor={editor} />
    </StrictMode>,
  )
}

start().catch((error: unknown) => stop(error instanceof Error ? error.message : String(error)))
