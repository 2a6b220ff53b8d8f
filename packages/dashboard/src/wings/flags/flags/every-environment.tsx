import { Dialog } from '../../../ui/dialog/dialog.tsx'
import { DataTable } from '../../../ui/table/data-table.tsx'
import type { IndexedEnvironment, IndexedFlag } from './flag-filter.ts'
import { SwitchInEnvironment } from './switch-in-environment.tsx'

interface EveryEnvironmentProps {
  flag: IndexedFlag
  environments: readonly IndexedEnvironment[]
  onClose: () => void
}

/** A flag in all environments, with those that have no column in the list. */
export function EveryEnvironment({ flag, environments, onClose }: EveryEnvironmentProps) {
  return (
    <Dialog title={flag.name} onClose={onClose}>
      <DataTable
        caption={`Environments of ${flag.name}`}
        rows={environments}
        keyOf={({ id }) => id}
        columns={[
          { title: 'Environment', cell: ({ name }) => name },
          {
            title: 'Switch',
            cell: (environment) => (
              <SwitchInEnvironment
                withWord
                flag={flag}
                environment={environment}
                state={flag.states[environments.indexOf(environment)] ?? {}}
              />
            ),
          },
        ]}
      />
    </Dialog>
  )
}
