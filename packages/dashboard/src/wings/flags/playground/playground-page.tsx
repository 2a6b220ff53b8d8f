import { NativeSelect, TextInput } from '@mantine/core'
import { useSearch } from '@tanstack/react-router'
import { useId } from 'react'
import { useEnvironment } from '../../../shell/environment.ts'
import { useProjectIndex } from '../../../shell/index-query.ts'
import { OnlyFor } from '../../../shell/only-for.tsx'
import { usePlace } from '../../../shell/place.ts'
import { useSubject } from '../../../shell/subject.tsx'
import { useSettled } from '../../../ui/form/settled.ts'
import { Suggestions } from '../../../ui/form/suggestions.tsx'
import { Loaded } from '../../../ui/layout/loaded.tsx'
import { Page } from '../../../ui/layout/page.tsx'
import { capital } from '../../../ui/words/lists.ts'
import classes from './playground.module.css'
import { keysIn, Playground, useChange } from './playground.tsx'

/** What a visitor gets, and why. All of it is in the address. */
export function PlaygroundPage() {
  const index = useProjectIndex()
  const search = useSearch({ from: '/inside/$org/$project/playground' })
  const { environment, environments, choose } = useEnvironment()
  const set = useChange()
  const { project } = usePlace()
  const { one, many } = useSubject()
  return (
    <Page title="Playground" description="What a visitor gets, and why. Nothing is counted, and nothing changes.">
      <Loaded query={index} lines={6}>
        {(data) =>
          data.flags === null ? (
            <OnlyFor>
              Your role does not include reading flags. The permission that opens this page is “flags:read”.
            </OnlyFor>
          ) : (
            <Playground
              search={search}
              index={data}
              environment={environment}
              where={
                <div className={classes.where}>
                  <NativeSelect
                    label="Environment"
                    value={environment.key}
                    onChange={(event) => choose(event.currentTarget.value)}
                    data={environments.map(({ key, name }) => ({ value: key, label: name }))}
                  />
                  <FlagField
                    label={capital(one)}
                    placeholder={`All ${many}`}
                    flagKeys={keysIn(data, project.type)}
                    flag={search.flag ?? ''}
                    onChange={(flag) => set({ flag: flag || undefined })}
                  />
                </div>
              }
            />
          )
        }
      </Loaded>
    </Page>
  )
}

interface FlagFieldProps {
  label: string
  placeholder: string
  flagKeys: string[]
  flag: string
  onChange: (flag: string) => void
}

function FlagField({ label, placeholder, ...props }: FlagFieldProps) {
  const list = useId()
  const [flag, setFlag] = useSettled(props.flag, props.onChange)
  return (
    <>
      <TextInput
        label={label}
        placeholder={placeholder}
        value={flag}
        list={list}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => setFlag(event.currentTarget.value.trim())}
      />
      <Suggestions id={list} values={props.flagKeys} />
    </>
  )
}
