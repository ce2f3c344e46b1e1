return {update=function() end}
