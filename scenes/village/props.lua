return {build=function() end, update=function() end}
