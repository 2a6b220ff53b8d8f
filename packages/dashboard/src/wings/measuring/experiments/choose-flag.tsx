import { NativeSelect } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { api } from '../../../api.ts'
import { onlyOnce } from '../../../idempotency.ts'
import { usePlace } from '../../../shell/place.ts'
import { useMay } from '../../../shell/session.ts'
import { FailureNotice } from '../../../ui/notice/failure-notice.tsx'
import { useDone } from '../../../versioned.ts'
import { keyOfName } from '../../flags/flags/key-of-name.ts'
import { startingVariations } from '../../flags/variations/new-variations.ts'
import { FlagInput } from './flag-input.tsx'

interface ChooseFlagProps {
  flags: readonly { key: string; name: string }[]
  flagKey: string
  setFlagKey: (key: string) => void
  environmentKey: string
  setEnvironmentKey: (key: string) => void
}

/** The flag whose variations are compared, found or made here, and where. They are fixed once the experiment is there. */
export function ChooseFlag({ flags, flagKey, setFlagKey, environmentKey, setEnvironmentKey }: ChooseFlagProps) {
  const { environments, project } = usePlace()
  const done = useDone()
  const mayCreate = useMay('flags:write')
  const make = useMutation({
    mutationFn: async (name: string) => {
      const variations = [...startingVariations.BOOLEAN]
      const { data } = await api.POST('/api/v1/projects/{projectId}/flags', {
        params: { path: { projectId: project.id }, header: onlyOnce() },
        body: {
          name,
          key: keyFor(name, flags),
          type: 'BOOLEAN',
          variations,
          defaultVariationKey: variations[0]!.key,
        },
      })
      return data!.data
    },
    onSuccess: async ({ key, name }) => {
      setFlagKey(key)
      await done(`${name} created, with the variations Off and On.`, '/api/v1/projects/{projectId}/index')
    },
  })
  return (
    <>
      <FlagInput
        flags={flags}
        flagKey={flagKey}
        onChoose={setFlagKey}
        onCreate={mayCreate ? (name) => make.mutate(name) : undefined}
        isCreating={make.isPending}
      />
      <FailureNotice error={make.error} title="No flag was created" />
      <NativeSelect
        label="Environment"
        value={environmentKey}
        onChange={(event) => setEnvironmentKey(event.currentTarget.value)}
        data={environments.map(({ key, name }) => ({ value: key, label: name }))}
      />
    </>
  )
}

/** A key that no other flag has. The service checks it again, archived flags included. */
function keyFor(name: string, flags: readonly { key: string }[]): string {
  const key = keyOfName(name) || 'flag'
  const taken = new Set(flags.map((flag) => flag.key))
  for (let number = 2; taken.has(key) && number < 1_000; number += 1)
    if (!taken.has(`${key}-${number}`)) return `${key}-${number}`
  return key
}
