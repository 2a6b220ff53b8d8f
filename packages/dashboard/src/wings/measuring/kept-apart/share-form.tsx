import { TextInput } from '@mantine/core'
import { useEditForm } from '../../../shell/edit-form.tsx'
import { useChangedBy } from '../../../shell/live.tsx'
import { usePlace } from '../../../shell/place.ts'
import { ApiForm, first, required } from '../../../ui/form/form.tsx'
import { PercentField } from '../../../ui/form/percent-field.tsx'
import { percentOf } from '../../../ui/words/percent.ts'
import { useDone, type Versioned } from '../../../versioned.ts'

export type NameAndShare = {
  name: string
  /** In basis points. */
  share: number
}

interface ShareFormProps {
  /** "exclusion group" */
  noun: string
  /** Left out for a new one. */
  id: string | undefined
  base: Versioned<NameAndShare>
  share: {
    label: string
    description: string
    /** In a sentence about two edits: "The share of visitors". */
    inWords: string
    /** Its name in the body of the call. */
    field: string
    rule?: (share: number) => string | undefined
  }
  /** Paths to read again after a save. */
  paths: string[]
  read: () => Promise<Versioned<NameAndShare>>
  /** `body.share` is left out if it has not changed: it can be fixed. */
  update: (body: { name: string; share?: number }, etag: string) => Promise<unknown>
  create: (body: NameAndShare) => Promise<unknown>
  onClose: () => void
}

/** The form of something that keeps a share of the visitors apart: a holdout, an exclusion group. */
export function ShareForm({ noun, id, base, share, paths, read, update, create, onClose }: ShareFormProps) {
  const { project } = usePlace()
  const done = useDone()
  const kind = noun.replaceAll(' ', '_')
  const { form, dialog } = useEditForm<NameAndShare, unknown>({
    object: id === undefined ? `new-${kind}:${project.id}` : `${kind}:${id}`,
    base,
    rules: { name: required('Enter a name.'), ...(share.rule && { share: share.rule }) },
    inputOf: ([field]) => (field === share.field ? 'share' : undefined),
    read,
    write: (body, etag, before) =>
      id === undefined
        ? create(body)
        : update({ name: body.name, ...(body.share !== before.share && { share: body.share }) }, etag),
    done: async (_answer, { name }) => {
      await done(`${name} ${id === undefined ? 'created' : 'saved'}.`, ...paths)
      onClose()
    },
    changed: useChangedBy(kind, id ?? ''),
    labels: { name: 'The name', share: share.inWords },
    shown: (field, value) => (field === 'share' ? percentOf(Number(value)) : undefined),
  })
  return (
    <>
      <ApiForm form={form} verb={`${id === undefined ? 'Create' : 'Save'} ${noun}`}>
        <TextInput {...form.field('name')} label="Name" autoComplete="off" {...first} />
        <PercentField
          name="share"
          label={share.label}
          value={form.values.share}
          onChange={(value) => form.set('share', value)}
          error={form.error('share')}
          description={share.description}
        />
      </ApiForm>
      {dialog}
    </>
  )
}
