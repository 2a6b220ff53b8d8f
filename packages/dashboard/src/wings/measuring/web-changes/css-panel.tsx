import { Button } from '@mantine/core'
import { type KeptForm, useNewForm } from '../../../shell/edit-form.tsx'
import { CodeArea } from '../../../ui/code/code-area.tsx'
import { SidePanel } from '../../../ui/dialog/side-panel.tsx'
import { ApiForm } from '../../../ui/form/form.tsx'
import type { Design } from './design.ts'
import type { Saved } from './save-set.tsx'

type Values = { css: string; base: string | null }

/** The CSS of a variation, which goes to its pages as it is. */
export function CssPanel({ design, onClose }: { design: Design; onClose: () => void }) {
  const { variation, path, content, save, told } = design
  const form: KeptForm<Values> = useNewForm<Values, Saved | undefined>({
    object: `web-css:${path.experimentId}:${path.variationKey}`,
    initial: { css: content.css ?? '', base: content.css },
    send: ({ css, base }) =>
      save({ base: { ...content, css: base }, mine: { ...content, css: css.trim() === '' ? null : css } }),
    done: (saved, values) => {
      // Back from the question: what is typed is kept.
      if (!saved) return form.setAll(values)
      onClose()
      return told(saved.set.css === null ? 'The CSS is removed.' : 'The CSS is saved.', saved)
    },
  })
  return (
    <SidePanel title="CSS" description={variation.name} onClose={onClose}>
      <ApiForm
        form={form}
        verb="Save CSS"
        failed="The CSS was not saved"
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
          label="CSS of the variation"
          name="css"
          description="It goes to every page of the experiment as it is, after the styles of single changes. Leave it empty for none."
          value={form.values.css}
          error={form.error('css')}
          onChange={(css) => form.set('css', css)}
          rows={16}
          placeholder=".hero { min-height: 20rem }"
        />
      </ApiForm>
    </SidePanel>
  )
}
