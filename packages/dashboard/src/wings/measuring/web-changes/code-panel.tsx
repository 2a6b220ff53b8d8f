import { Anchor, Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { api } from '../../../api.ts'
import { onlyOnce } from '../../../idempotency.ts'
import { useEditForm } from '../../../shell/edit-form.tsx'
import { useChangedBy } from '../../../shell/live.tsx'
import { CodeArea } from '../../../ui/code/code-area.tsx'
import { SidePanel } from '../../../ui/dialog/side-panel.tsx'
import { ApiForm } from '../../../ui/form/form.tsx'
import { onlyIf, useDone, type Versioned, versioned } from '../../../versioned.ts'
import { listPath, onePath } from '../experiments/experiment.ts'
import { codePath, handOffPath } from './change-set.ts'
import type { Design } from './design.ts'

interface CodePanelProps {
  design: Design
  code: Versioned<{ js: string | null }>
  onClose: () => void
}

const valuesOf = ({ js }: { js: string | null }) => ({ js: js ?? '' })

/** Edits the code of a variation. The service says where it cannot be read. */
export function CodePanel({ design, code, onClose }: CodePanelProps) {
  const { experiment, variation, path } = design
  const client = useQueryClient()
  const done = useDone()
  const { form, dialog } = useEditForm({
    object: `web-code:${path.experimentId}:${path.variationKey}`,
    base: { content: valuesOf(code.content), etag: code.etag },
    read: async () => {
      const { content, etag } = versioned(await api.GET(codePath, { params: { path } }))
      return { content: valuesOf(content), etag }
    },
    write: async ({ js }, etag) => {
      const body = { js: js.trim() === '' ? null : js }
      const answer = versioned(
        await api.PUT(codePath, { params: { path, header: { ...onlyOnce(), ...onlyIf(etag) } }, body }),
      )
      client.setQueryData(['get', codePath, { params: { path } }], { content: { js: body.js }, etag: answer.etag })
      return answer.content
    },
    done: async ({ js }) => {
      onClose()
      await done(js === null ? 'The code is removed.' : 'The code is saved.', onePath, listPath, codePath, handOffPath)
    },
    labels: { js: 'Code' },
    changed: useChangedBy('experiment', experiment.id),
    shown: (_field, value) => <code>{String(value) || 'none'}</code>,
  })
  return (
    <SidePanel title="Code" description={variation.name} onClose={onClose}>
      <ApiForm
        form={form}
        verb="Save code"
        failed="The code was not saved"
        actions={
          <Button
            variant="default"
            onClick={() => {
              form.forget()
              onClose()
            }}
          >
            Cancel
          </Button>
        }
      >
        <CodeArea
          label="JavaScript"
          name="js"
          description={<CodeGuide />}
          value={form.values.js}
          error={form.error('js')}
          onChange={(js) => form.set('js', js)}
          rows={18}
          placeholder={"svc.waitFor('.cta').then((button) => {\n  button.textContent = 'Try it'\n})"}
        />
      </ApiForm>
      {dialog}
    </SidePanel>
  )
}

const CodeGuide = () => (
  <>
    The body of a function that gets <code>svc</code>: <code>waitFor(selector)</code>, <code>onLeave(undo)</code>,{' '}
    <code>track</code>, <code>visitorId</code> and <code>variationKey</code>.{' '}
    <Anchor href="/docs/web-tag" inherit>
      More about the script
    </Anchor>
  </>
)
