export const dataFileFolder = '/api/sdk/v1/datafile'

/** Where SDKs and receivers of `flag.published` get an environment's data file. */
export const dataFileUrl = (baseUrl: string, sdkKey: string): string => `${baseUrl}${dataFileFolder}/${sdkKey}.json`
