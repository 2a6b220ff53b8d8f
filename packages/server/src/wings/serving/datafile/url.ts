export const dataFileFolder = '/api/sdk/v1/datafile'

/** The address of the data file of an environment, for SDKs and for receivers of `flag.published`. */
export const dataFileUrl = (baseUrl: string, sdkKey: string): string => `${baseUrl}${dataFileFolder}/${sdkKey}.json`
