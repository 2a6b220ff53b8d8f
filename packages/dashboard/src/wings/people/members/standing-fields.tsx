import { Checkbox, NativeSelect, Radio, Text } from '@mantine/core'
import type { Data } from '@svc/client'
import { useAllProjects } from '../../../shell/all-projects.ts'
import { useOrganization } from '../../../shell/session.ts'
import { Choices } from '../../../ui/form/choices.tsx'
import { Loaded } from '../../../ui/layout/loaded.tsx'
import { roleName, roleSentence } from '../roles/built-in.ts'
import { rolesToGive, seesAllProjects } from './ranks.ts'
import classes from './standing-fields.module.css'

export type Role = Data<'/api/v1/roles', 'get'>[number]

export interface Standing {
  roleId: string
  /** Null means all projects. */
  projectIds: string[] | null
}

interface StandingFieldsProps {
  roles: readonly Role[]
  value: Standing
  errors: { roleId: string | undefined; projectIds: string | undefined }
  change: (standing: Standing) => void
}

/** A member's role and the projects that they see. */
export function StandingFields({ roles, value, errors, change }: StandingFieldsProps) {
  const mine = useOrganization()?.role?.name
  const role = roles.find(({ id }) => id === value.roleId)
  const changeRole = (roleId: string) => {
    const next = roles.find(({ id }) => id === roleId)
    change({ roleId, projectIds: seesAllProjects(next?.name) ? null : value.projectIds })
  }
  return (
    <>
      <NativeSelect
        name="roleId"
        label="Role"
        description={role && roleSentence(role)}
        error={errors.roleId}
        value={value.roleId}
        onChange={(event) => changeRole(event.currentTarget.value)}
        data={rolesToGive(roles, mine).map((each) => ({ value: each.id, label: roleName(each) }))}
      />
      <ProjectFields
        isFixed={seesAllProjects(role?.name)}
        value={value.projectIds}
        error={errors.projectIds}
        change={(projectIds) => change({ ...value, projectIds })}
      />
    </>
  )
}

interface ProjectFieldsProps {
  isFixed: boolean
  value: string[] | null
  error: string | undefined
  change: (projectIds: string[] | null) => void
}

function ProjectFields({ isFixed, value, error, change }: ProjectFieldsProps) {
  const projects = useAllProjects()
  if (isFixed)
    return (
      <Choices legend="Projects">
        <Text size="sm">All projects: owners and administrators see the whole organization.</Text>
      </Choices>
    )
  return (
    <>
      <Choices legend="Projects" name="projectIds" error={error}>
        <Radio
          name="projects"
          label="All projects"
          description="Includes projects that are created later."
          checked={value === null}
          onChange={() => change(null)}
        />
        <Radio
          name="projects"
          label="Selected projects"
          description="This person cannot see the others."
          checked={value !== null}
          onChange={() => change([])}
        />
      </Choices>
      {value !== null && (
        <Choices legend="Selected projects">
          <Loaded query={projects}>
            {(all) => (
              <div className={classes.projects}>
                {all.length === 0 && <Text size="sm">There are no projects yet.</Text>}
                {all.map(({ id, name }) => (
                  <Checkbox
                    key={id}
                    label={name}
                    checked={value.includes(id)}
                    onChange={(event) =>
                      change(event.currentTarget.checked ? [...value, id] : value.filter((chosen) => chosen !== id))
                    }
                  />
                ))}
              </div>
            )}
          </Loaded>
        </Choices>
      )}
    </>
  )
}

/** What is wrong with the projects, if anything. */
export const missingProjects = (projectIds: string[] | null): string | undefined =>
  projectIds?.length === 0 ? 'Select at least one project, or all of them.' : undefined
