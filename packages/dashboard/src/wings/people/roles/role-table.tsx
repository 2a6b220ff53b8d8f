import { IconCheck } from '@tabler/icons-react'
import { useOrgParams } from '../../../shell/place.ts'
import { TextLink } from '../../../ui/links/links.tsx'
import { type Column, DataTable } from '../../../ui/table/data-table.tsx'
import { counted } from '../../../ui/words/lists.ts'
import { roleName } from './built-in.ts'
import { type RightsRow, rightsRows } from './role-rows.ts'
import type { Capability, Role } from './role-section.tsx'
import classes from './role-table.module.css'

interface RoleTableProps {
  roles: readonly Role[]
  capabilities: readonly Capability[]
}

type Row = RightsRow | { key: 'members'; text: string }

/** What each role can do: a row for each right, and a column for each role. */
export function RoleTable({ roles, capabilities }: RoleTableProps) {
  const { org } = useOrgParams()
  const rows: Row[] = [...rightsRows(capabilities), { key: 'members', text: 'Members' }]
  const cell = (row: Row, role: Role) => {
    if ('isIn' in row) return <Allowed isAllowed={row.isIn(role)} />
    if (role.memberCount === 0) return 'None'
    return (
      <TextLink to="/$org/settings/members" params={{ org }} inherit underline="always">
        {counted(role.memberCount, 'member')}
      </TextLink>
    )
  }
  return (
    <DataTable
      caption="What each role can do"
      rows={rows}
      keyOf={({ key }) => key}
      columns={[
        { title: 'Can', cell: ({ text }) => <span className={classes.right}>{text}</span> },
        ...roles.map((role): Column<Row> => ({ title: roleName(role), cell: (row) => cell(row, role) })),
      ]}
    />
  )
}

function Allowed({ isAllowed }: { isAllowed: boolean }) {
  return isAllowed ? (
    <span className={classes.yes}>
      <IconCheck size={16} aria-hidden /> Yes
    </span>
  ) : (
    <span className={classes.no}>No</span>
  )
}
