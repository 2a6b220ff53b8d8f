import { Button, Checkbox, TextInput } from '@mantine/core'
import { api } from '../../../../api.ts'
import { useEditForm } from '../../../../shell/edit-form.tsx'
import { useChangedBy } from '../../../../shell/live.tsx'
import { SidePanel } from '../../../../ui/dialog/side-panel.tsx'
import { ApiForm } from '../../../../ui/form/form.tsx'
import { onlyIf, useDone } from '../../../../versioned.ts'
import { type Experiment, listPath, onePath, readExperiment } from '../../experiments/experiment.ts'
import { useKnownVersions } from '../../experiments/known-versions.ts'
import { addressFault, isAddress } from '../../experiments/targeting/pages.ts'
import { handOffPath } from '../change-set.ts'
import type { Design } from '../design.ts'
import { type RedirectValues, valuesOf, withRedirect } from './redirect.ts'

interface RedirectPanelProps {
  design: Design
  onClose: () => void
}

/** Edits where the visitors of a variation go. */
export function RedirectPanel({ design, onClose }: RedirectPanelProps) {
  const { form, dialog } = useRedirectForm({ design, onClose })
  return (
    <SidePanel title="Redirect" description={design.variation.name} onClose={onClose}>
      <ApiForm
        form={form}
        verb="Save redirect"
        failed="The redirect was not saved"
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
        <TextInput
          {...form.field('url')}
          label="Address"
          description="Where visitors of this variation go. Leave it empty for none. Its host must be among the hosts of the site settings."
          placeholder="https://shop.example/pricing-b"
          inputMode="url"
          autoComplete="off"
          spellCheck={false}
          data-autofocus
        />
        <Checkbox
          label="Keep the query and the hash"
          description="Campaign parameters go along."
          checked={form.values.keepQuery}
          onChange={({ currentTarget: { checked } }) => form.set('keepQuery', checked)}
        />
      </ApiForm>
      {dialog}
    </SidePanel>
  )
}

/** The redirect is a part of the experiment, whose version the save is bound to. */
function useRedirectForm({ design, onClose }: RedirectPanelProps) {
  const { experiment, etag, variation } = design
  const { projectId, id } = experiment
  const done = useDone()
  const versions = useKnownVersions({ content: experiment, etag })
  return useEditForm<RedirectValues, Experiment>({
    object: `web-redirect:${id}:${variation.key}`,
    base: { content: valuesOf(experiment.variations, variation.key), etag },
    rules: { url: (url) => (url.trim() === '' || isAddress(url.trim()) ? undefined : addressFault) },
    inputOf: ([field, , inner, part]) =>
      field === 'variations' && inner === 'redirect' ? (part === 'keepQuery' ? 'keepQuery' : 'url') : undefined,
    read: async () => {
      const latest = versions.keep(await readExperiment(projectId, id))
      return { content: valuesOf(latest.content.variations, variation.key), etag: latest.etag }
    },
    write: async (values, writeTo) => {
      const { data } = await api.PATCH(onePath, {
        params: { path: { projectId, experimentId: id }, header: onlyIf(writeTo) },
        body: { variations: withRedirect(versions.at(writeTo).variations, variation.key, values) },
      })
      return data!.data
    },
    done: async (saved, { url }) => {
      onClose()
      const later = saved.launchedAt === null ? '' : ' Visitors get it with the next publish.'
      await done(
        `${url.trim() === '' ? 'The redirect is removed.' : 'The redirect is saved.'}${later}`,
        ...[onePath, listPath, handOffPath],
      )
    },
    labels: { url: 'Address', keepQuery: 'Query and hash' },
    changed: useChangedBy('experiment', id),
    shown: (field, value) =>
      field === 'keepQuery' ? value ? 'kept' : 'left out' : <code>{String(value) || 'none'}</code>,
  })
}
