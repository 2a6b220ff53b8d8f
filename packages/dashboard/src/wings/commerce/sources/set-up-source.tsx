import { Button, Group, Stack, Title } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { api } from '../../../api.ts'
import { useEditForm } from '../../../shell/edit-form.tsx'
import { useChangedBy } from '../../../shell/live.tsx'
import { usePlace } from '../../../shell/place.ts'
import { SidePanel } from '../../../ui/dialog/side-panel.tsx'
import { FileDrop } from '../../../ui/form/file-drop.tsx'
import { ApiForm } from '../../../ui/form/form.tsx'
import { useFocusOfStep } from '../../../ui/layout/focus-of-step.ts'
import { Stepper } from '../../../ui/layout/stepper.tsx'
import { FailureNotice } from '../../../ui/notice/failure-notice.tsx'
import { ownZone } from '../../../ui/time/zoned-time.ts'
import { onlyIf, refresh, useDone, type Versioned, versioned } from '../../../versioned.ts'
import { accept, maxFileBytes } from './files.ts'
import { FromFields } from './from-fields.tsx'
import { previewSource } from './preview.ts'
import { ReadingFields } from './preview-fields.tsx'
import { PreviewResult } from './preview-result.tsx'
import { attributesIn, type Preview } from './preview-words.ts'
import { readSource, type Source, sourcePath, sourcesPath } from './source.ts'
import { GuardFields, type SourceForm, SourceSchedule } from './source-fields.tsx'
import { inputOf, labels, mappingFaults, rulesOf, type SourceValues, shown, updateOf, valuesOf } from './source-form.ts'
import { type SourceStep, sourceSteps, stepAfter, titleOf } from './source-steps.ts'

interface SetUpSourceProps {
  source: Versioned<Source>
  step: SourceStep
  /** Opens another panel; none without a name. */
  go: (panel?: string) => void
  /** Asks for a sync, after the last step. */
  sync: () => void
}

/** What a save is for: to go on, to stay and read the first rows again, or to sync. */
type Wish = { to: SourceStep | undefined } | { preview: File | undefined } | { sync: true }

/** The settings of a source in four steps. Each move saves, so a preview and a sync read what is shown. */
export function SetUpSource({ source, step, go, sync }: SetUpSourceProps) {
  const { content } = source
  const preview = usePreview(content.id)
  const { form, dialog } = useSourceForm({ source, step, go, sync, preview: preview.read })
  const heading = useFocusOfStep(step)
  const next = stepAfter(step)
  return (
    <SidePanel title={`Set up ${content.name}`} onClose={() => go()}>
      <Stack gap="md">
        <Stepper label="Steps" steps={sourceSteps} current={step} onStep={(to) => form.save({ to })} />
        <ApiForm
          form={form}
          verb={next ? 'Next' : 'Save source'}
          failed="The source was not saved"
          summary={next ? `Saves the source. Next: ${titleOf(next).toLowerCase()}.` : lastWords(form.values)}
          actions={
            next ? null : (
              <Button variant="default" onClick={() => form.save({ sync: true })} disabled={form.isPending}>
                Save and sync now
              </Button>
            )
          }
        >
          <Title order={3} ref={heading} tabIndex={-1}>
            {titleOf(step)}
          </Title>
          {step === 'from' && <FromFields form={form} kept={content.auth} />}
          {step === 'preview' && (
            <PreviewStep
              {...{ form, content, preview }}
              onRead={(file) => form.save({ preview: file })}
              isSaving={form.isPending}
            />
          )}
          {step === 'guards' && <GuardFields form={form} type={content.type} />}
          {step === 'schedule' && <SourceSchedule form={form} />}
        </ApiForm>
        {dialog}
      </Stack>
    </SidePanel>
  )
}

const lastWords = ({ every, from }: SourceValues): string =>
  every === 'NONE' || from === 'FILE'
    ? 'Nothing runs until someone asks for it.'
    : 'From then on, the source is synced by itself.'

interface SourceFormProps extends SetUpSourceProps {
  preview: (file: File | undefined) => void
}

function useSourceForm({ source, step, go, sync, preview }: SourceFormProps) {
  const { project } = usePlace()
  const { content, etag } = source
  const done = useDone()
  const client = useQueryClient()
  const changed = useChangedBy('catalog_source', content.id)
  const [zone] = useState(ownZone)
  const known = useRef(new Map<string, Source>()).current
  known.set(etag, content)
  const baseOf = (version: Versioned<Source>): Versioned<SourceValues> => {
    known.set(version.etag, version.content)
    return { content: valuesOf(version.content, zone), etag: version.etag }
  }
  const { form, dialog, begin } = useEditForm<SourceValues, Versioned<Source>, Wish>({
    object: `catalog-source:${content.id}`,
    base: baseOf(source),
    rules: rulesOf(
      ({ authType }) => content.auth !== null && (content.auth.type !== 'BASIC' || authType === content.auth.type),
    ),
    partRules: mappingFaults,
    inputOf,
    secrets: ['secret'],
    read: async () => baseOf(await readSource(project.id, content.id)),
    write: async (values, version) => {
      const before = known.get(version) ?? content
      const body = updateOf(values, before, zone)
      if (Object.keys(body).length === 0) return { content: before, etag: version }
      const params = { path: { projectId: project.id, sourceId: content.id }, header: onlyIf(version) }
      return versioned(await api.PATCH(sourcePath, { params, body }))
    },
    done: async (saved, _values, wish = { to: stepAfter(step) }) => {
      const isNew = !known.has(saved.etag)
      begin(baseOf(saved))
      if ('preview' in wish) preview(wish.preview)
      else if ('sync' in wish) sync()
      else go(wish.to)
      if (!isNew) return
      // A step on the way says nothing: the next one is there.
      if ('to' in wish && wish.to === undefined) await done(`${saved.content.name} saved.`, sourcesPath, sourcePath)
      else await refresh(client, sourcesPath, sourcePath)
    },
    changed,
    labels,
    shown,
  })
  return { form, dialog }
}

/** The first rows of the file, as they were read last. */
function usePreview(sourceId: string) {
  const { project } = usePlace()
  const reading = useMutation({
    mutationFn: (file: File | undefined) => previewSource(project.id, sourceId, file),
  })
  return {
    result: reading.data,
    error: reading.error,
    isPending: reading.isPending,
    /** The file that was read; undefined for the one at the address. */
    file: reading.variables,
    read: (file: File | undefined) => reading.mutate(file),
  }
}

interface PreviewStepProps {
  form: SourceForm
  content: Source
  preview: { result: Preview | undefined; error: unknown; isPending: boolean; file: File | undefined }
  onRead: (file: File | undefined) => void
  isSaving: boolean
}

/** Reads the first rows, shows what they give, and asks how they are to be read. */
function PreviewStep({ form, content, preview, onRead, isSaving }: PreviewStepProps) {
  const { result, error, isPending, file } = preview
  const isBusy = isPending || isSaving
  return (
    <>
      {content.url !== null && (
        <Group gap="xs">
          <Button variant="default" loading={isBusy && !file} disabled={isBusy} onClick={() => onRead(undefined)}>
            {result ? 'Read the first rows again' : 'Read the first rows'}
          </Button>
        </Group>
      )}
      {content.url === null && (
        <FileDrop label="Choose a file" accept={accept} maxBytes={maxFileBytes} onFile={onRead}>
          Its first rows are read, and nothing of it is saved.
        </FileDrop>
      )}
      {file && !isPending && (
        <Group gap="xs">
          <Button variant="default" size="xs" disabled={isBusy} onClick={() => onRead(file)}>
            Read {file.name} again
          </Button>
        </Group>
      )}
      <FailureNotice error={error} title="The file was not read" />
      {result && <PreviewResult preview={result} type={content.type} />}
      <ReadingFields form={form} type={content.type} columns={result ? attributesIn(result) : []} />
    </>
  )
}
